/// The daemon's settings, as the files have them.
public struct ConfigurationFacts: Sendable {
    /// Those that were read, in their order; none is the compiled defaults.
    public var files: [String] = []
    /// The file that was asked for in place of the system's; nil for the system's.
    public var chosen: String?
    /// The file that has to be mended first.
    public var file: String
    /// Each as `file:line:column: text`.
    public var problems: [String] = []
    /// Whether this user may not read them; then nothing is known of what they say.
    public var isUnreadable = false
    /// Whether the source is the simulated walk.
    public var isSimulation = false
    /// `iio.enabled`.
    public var readsSensors = true
    /// `gnss.enabled`.
    public var readsReceiver = true
    /// The names that the settings ask for, by kind.
    public var deviceNames: [SensorFacts.Kind: String] = [:]

    /// The compiled defaults, with this file to edit.
    public init(file: String) { self.file = file }
}

/// A unit of systemd, as `systemctl show` has it.
public struct UnitFacts: Hashable, Sendable {
    /// With its ending, such as `waymarkd.service`.
    public var name: String
    /// `loaded`, `not-found`, `masked`, …
    public var load: String
    /// `active`, `inactive`, `failed`, `activating`, …
    public var active: String
    /// Such as `exit-code`, `watchdog`, `oom-kill`.
    public var result: String
    /// What its program ended with last.
    public var exitStatus: Int?
    /// `enabled`, `disabled`, `static`, …
    public var file: String
    /// How often systemd has started it anew by itself.
    public var restarts: Int
    /// That its program runs as; empty is root.
    public var user = "waymark"

    /// A unit as systemd tells it.
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

/// The daemon's socket and what became of connecting to it.
public struct SocketFacts: Hashable, Sendable {
    /// What became of connecting.
    public enum Outcome: Hashable, Sendable {
        case answered
        case missing
        /// Something is there, but no socket.
        case notASocket
        /// A socket to which nobody listens.
        case refused
        case denied
        /// Connected, and turned away: it serves no more clients than so many.
        case full(Int)
        /// Connected, and no answer came.
        case mute
        /// An answer that is not of this protocol, or any other mishap, in words.
        case other(String)
    }

    /// Where it is, or should be.
    public var path: String
    /// What became of connecting to it.
    public var outcome: Outcome
    /// That the socket belongs to; absent where it has no name or is nobody's business.
    public var group: String?
    /// Whether this user is in that group by the system's records.
    public var isMember = false
    /// Where it is root's to say, such as the group of root.
    public var isForRootAlone = false

    /// A socket of nobody's group.
    public init(path: String, outcome: Outcome) {
        self.path = path
        self.outcome = outcome
    }
}

/// A daemon that answered.
public struct DaemonFacts: Hashable, Sendable {
    /// Of the daemon.
    public var version: String
    /// Whether its source is the simulated walk.
    public var isSimulation = false
    /// Such as `localized`, as the daemon words it.
    public var state: String
    /// Why it is no better, in the daemon's words.
    public var reasons: [String] = []
    /// What would make it better, in the daemon's words.
    public var advice: [String] = []
    /// Published while it was looked at.
    public var poses: Int
    /// Seconds.
    public var uptime = 0.0
    /// What keeps the receiver from the daemon, in its words; nil where it has fixes or knows no receiver.
    public var receiverProblem: String?
    /// Why no samples could be taken from it; nil where they were.
    public var refusal: Refusal?

    /// What keeps samples away.
    public struct Refusal: Hashable, Sendable {
        /// By what would mend it.
        public enum Cause: Hashable, Sendable {
            /// Who asks may not record.
            case permission
            /// It records already, and makes one recording at a time.
            case recording
            /// There is no place for the samples.
            case room
            /// The daemon, or what it wrote.
            case other
        }

        /// What would mend it depends on this.
        public var cause: Cause
        /// In words.
        public var text: String

        /// What keeps samples away, and what would mend it.
        public init(_ cause: Cause, _ text: String) {
            self.cause = cause
            self.text = text
        }
    }

    /// A daemon that gives its samples.
    public init(version: String, state: String, poses: Int) {
        self.version = version
        self.state = state
        self.poses = poses
    }
}
