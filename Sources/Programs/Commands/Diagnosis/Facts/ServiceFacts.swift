/// Settings of the daemon as read from the files.
public struct ConfigurationFacts: Sendable {
    /// Files that were read, in order; empty for the compiled defaults.
    public var files: [String] = []
    /// File chosen with `--config`; nil for the system's file.
    public var chosen: String?
    /// The file to edit.
    public var file: String
    /// Mistakes, each as `file:line:column: text`.
    public var problems: [String] = []
    /// Whether this user has no permission to read the files; the values below are then defaults.
    public var isUnreadable = false
    /// Whether the source is the simulated walk.
    public var isSimulation = false
    /// `iio.enabled`.
    public var readsSensors = true
    /// `source.samples`: the source whose samples stand in for IIO devices; empty for none.
    public var samplesSource = ""
    /// `gnss.enabled`.
    public var readsReceiver = true
    /// Device names or identifiers required by the settings, by sensor kind.
    public var deviceNames: [SensorFacts.Kind: String] = [:]
    /// Device labels required by the settings, by sensor kind.
    public var deviceLabels: [SensorFacts.Kind: String] = [:]

    /// The compiled defaults, with this file to edit.
    public init(file: String) { self.file = file }
}

/// A systemd unit as reported by `systemctl show`.
public struct UnitFacts: Hashable, Sendable {
    /// Full name, such as `waymarkd.service`.
    public var name: String
    /// `loaded`, `not-found`, `masked`, …
    public var load: String
    /// `active`, `inactive`, `failed`, `activating`, …
    public var active: String
    /// Such as `exit-code`, `watchdog`, `oom-kill`.
    public var result: String
    /// Last exit status of its program.
    public var exitStatus: Int?
    /// `enabled`, `disabled`, `static`, …
    public var file: String
    /// Number of automatic restarts.
    public var restarts: Int
    /// User that its program runs as; empty for root.
    public var user = "waymark"

    /// A unit with the properties that systemd reports.
    public init(
        name: String, load: String, active: String, result: String = "success", exitStatus: Int? = nil,
        file: String = "enabled", restarts: Int = 0
    ) {
        self.name = name
        self.load = load
        self.active = active
        self.result = result
        self.exitStatus = exitStatus
        self.file = file
        self.restarts = restarts
    }
}

/// Socket of the daemon and the result of connecting to it.
public struct SocketFacts: Hashable, Sendable {
    /// Result of connecting.
    public enum Outcome: Hashable, Sendable {
        case answered
        case missing
        /// The path exists but is not a socket.
        case notASocket
        /// No process listens on the socket.
        case refused
        case denied
        /// Connected but rejected: the limit of clients, given here, is reached.
        case full(Int)
        /// Connected, but no response arrived.
        case mute
        /// A response of another protocol or any other error, with a description.
        case other(String)
    }

    /// Path of the socket.
    public var path: String
    /// Result of connecting to it.
    public var outcome: Outcome
    /// Group of the socket; nil if it has no name or grants no access.
    public var group: String?
    /// Whether this user is a member of the group in the user database.
    public var isMember = false
    /// Whether only root can grant access, for example because the group is that of root.
    public var isForRootAlone = false
    /// Permission bits of the socket; nil if there is none.
    public var mode: UInt32?

    /// A socket without a group.
    public init(path: String, outcome: Outcome) {
        self.path = path
        self.outcome = outcome
    }
}

/// The group whose members may make changes, and whether the caller is one of them.
public struct ChangeFacts: Hashable, Sendable {
    /// `service.change_group`; empty if no group may make changes.
    public var group: String
    /// Whether there is such a group.
    public var exists = true
    /// Whether this user is a member in the user database, whenever the session began.
    public var isMember = false
    /// Whether there is the group whose members may offer measurements.
    public var aidGroupExists = true

    /// An existing group, of which this user is no member.
    public init(group: String) { self.group = group }
}

/// A daemon that responded.
public struct DaemonFacts: Hashable, Sendable {
    /// Version of the daemon.
    public var version: String
    /// Whether its source is the simulated walk.
    public var isSimulation = false
    /// Whether it is the demonstration of `waymarkd --demo`, which uses nothing of this board.
    public var isDemonstration = false
    /// State as reported by the daemon, such as `localized`.
    public var state: String
    /// Reasons for the state as reported by the daemon.
    public var reasons: [String] = []
    /// Advice of the daemon on how to improve the state.
    public var advice: [String] = []
    /// Number of poses published during the survey.
    public var poses: Int
    /// Time since the start of the daemon. Unit: seconds.
    public var uptime = 0.0
    /// Why the daemon has no data from the receiver, as it reports it; nil if it has fixes or no receiver.
    public var receiverProblem: String?
    /// Damaged databases of places beside the one in use, the oldest first.
    public var damagedPlaces: [DamagedPlaces] = []
    /// Paths of damaged files of floor plans.
    public var damagedPlans: [String] = []
    /// Why no samples could be recorded; nil if they were.
    public var refusal: Refusal?
    /// Why the daemon has no pose ring, though its settings want one; nil otherwise.
    public var ringProblem: String?
    /// Whether a navigator has found the route that is followed, and none is registered.
    public var lacksNavigator = false
    /// Whether a navigator is registered; nil without a route, and where the daemon does not say it.
    public var hasNavigator: Bool?

    /// Damaged database of places that was moved aside.
    public struct DamagedPlaces: Hashable, Sendable {
        /// Path of the copy.
        public var path: String
        /// Number of places that were recovered from it.
        public var places: Int
        /// Whether all of its rows were recovered.
        public var isComplete: Bool

        /// A copy, and what was recovered from it.
        public init(path: String, places: Int, isComplete: Bool) {
            self.path = path
            self.places = places
            self.isComplete = isComplete
        }
    }

    /// Why samples could not be recorded.
    public struct Refusal: Hashable, Sendable {
        /// Cause, on which the remedy depends.
        public enum Cause: Hashable, Sendable {
            /// This user has no permission to record.
            case permission
            /// Another recording is running.
            case recording
            /// No folder takes a temporary file.
            case room
            /// Any other error of the daemon or its recording.
            case other
        }

        /// Cause, on which the remedy depends.
        public var cause: Cause
        /// Error message.
        public var text: String

        /// A cause with its error message.
        public init(_ cause: Cause, _ text: String) {
            self.cause = cause
            self.text = text
        }
    }

    /// A daemon whose samples could be recorded.
    public init(version: String, state: String, poses: Int) {
        self.version = version
        self.state = state
        self.poses = poses
    }
}
