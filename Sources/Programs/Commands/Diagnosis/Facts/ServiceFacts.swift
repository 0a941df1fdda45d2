/// Settings of the daemon as read from the files; the compiled defaults if the files could not be read.
package struct ConfigurationFacts: Sendable {
    /// `file` is the settings file to edit. `chosen` is the file given with `--config`; nil if the system's file is
    /// used.
    package var file: String
    package var chosen: String?
    /// Files that were read, in order; empty for the compiled defaults.
    package var files: [String] = []
    /// Mistakes, each as `file:line:column: text`.
    package var problems: [String] = []
    /// Whether the caller has no permission to read the files.
    package var isUnreadable = false
    package var isSimulation = false
    package var readsSensors = true
    package var readsReceiver = true
    /// Name of the source whose samples replace those of IIO devices; empty if there is no such source.
    package var samplesSource = ""
    /// Device that the settings require for a kind of sensor: `deviceNames` has its name or identifier, `deviceLabels`
    /// its label.
    package var deviceNames: [SensorFacts.Kind: String] = [:]
    package var deviceLabels: [SensorFacts.Kind: String] = [:]

    package init(file: String) { self.file = file }
}

/// A systemd unit, with values as `systemctl show` prints them.
package struct UnitFacts: Hashable, Sendable {
    /// Name of the unit, and its LoadState, ActiveState, Result and UnitFileState.
    package var name, load, active, result, file: String
    package var exitStatus: Int?
    package var restarts: Int
    /// User that the unit's program runs as; empty for root.
    package var user = "waymark"

    package init(
        name: String, load: String, active: String, result: String = "success", exitStatus: Int? = nil,
        file: String = "enabled", restarts: Int = 0
    ) {
        (self.name, self.load, self.active, self.result) = (name, load, active, result)
        (self.exitStatus, self.file, self.restarts) = (exitStatus, file, restarts)
    }
}

/// Socket of the daemon and the result of connecting to it.
package struct SocketFacts: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case answered, missing, notASocket, denied
        /// No process listens on the socket.
        case refused
        /// Connected, but no response arrived.
        case mute
        /// The maximum number of clients is reached; the value is that number.
        case full(Int)
        /// A response of another protocol or any other error, with a description.
        case other(String)
    }

    package var path: String
    package var outcome: Outcome
    /// Name of the socket's group; nil if the group has no name.
    package var group: String?
    /// Whether the user database lists the caller in the group; the caller's login session may be older than that
    /// entry.
    package var isMember = false
    /// Whether only root can grant access, for example because the group is that of root.
    package var isForRootAlone = false
    /// Permission bits of the socket; nil if there is no socket.
    package var mode: UInt32?

    package init(path: String, outcome: Outcome) { (self.path, self.outcome) = (path, outcome) }
}

/// The group whose members may make changes, and whether the caller is one of them.
package struct ChangeFacts: Hashable, Sendable {
    /// Name of the group; empty if no group may make changes.
    package var group: String
    package var exists = true
    /// Whether the user database lists the caller in the group; the caller's login session may be older than that
    /// entry.
    package var isMember = false
    /// Whether the group whose members may offer measurements exists.
    package var aidGroupExists = true

    package init(group: String) { self.group = group }
}

/// A daemon that responded, and what it reports.
package struct DaemonFacts: Sendable {
    package var version: String
    package var isSimulation = false
    /// Whether it is the daemon of `waymarkd --demo`, which uses nothing of this board.
    package var isDemonstration = false
    /// State such as `localized`, its reasons, and advice on how to improve it.
    package var state: String
    package var reasons: [String] = []
    package var advice: [String] = []
    /// Number of poses published during the survey.
    package var poses: Int
    /// Time since the start of the daemon. Unit: seconds.
    package var uptime = 0.0
    /// Why the daemon has no data from the receiver; nil if it has fixes or no receiver.
    package var receiverProblem: String?
    /// Copies of damaged databases of places, oldest first: path, number of places recovered from the copy, and whether
    /// all places were recovered.
    package var damagedPlaces: [(path: String, places: Int, isComplete: Bool)] = []
    /// Paths of damaged files of floor plans.
    package var damagedPlans: [String] = []
    /// Why no samples could be recorded; nil if samples were recorded.
    package var refusal: Refusal?
    /// Why the daemon has no pose ring, though its settings want one.
    package var ringProblem: String?
    /// Whether the followed route came from a navigator and no navigator is registered now.
    package var lacksNavigator = false
    /// Whether a navigator is registered; nil without a route, or if the daemon does not report it.
    package var hasNavigator: Bool?

    /// Why samples could not be recorded, with the error message.
    package struct Refusal: Hashable, Sendable {
        package enum Cause: Hashable, Sendable {
            /// `permission`: recording is not permitted; `recording`: another recording is running; `room`: no
            /// temporary file can be created, or the daemon cannot record into it.
            case permission, recording, room, other
        }

        package var cause: Cause
        package var text: String

        package init(_ cause: Cause, _ text: String) { (self.cause, self.text) = (cause, text) }
    }

    package init(version: String, state: String, poses: Int) {
        (self.version, self.state, self.poses) = (version, state, poses)
    }
}
