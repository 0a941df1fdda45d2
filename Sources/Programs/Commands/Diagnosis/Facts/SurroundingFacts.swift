import Geometry

/// gpsd and its GNSS receiver.
public struct ReceiverFacts: Sendable {
    /// Address of gpsd: `host:port`, an IPv6 address in brackets.
    public var address: String
    /// Host part of the address, without brackets.
    var host: String {
        let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
        return String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host)
    }
    /// Receiver required by the settings; empty for any.
    public var wanted: String
    /// Why there is no connection to gpsd; nil if there is.
    public var problem: String?
    /// Error message of gpsd; nil without one.
    public var refusal: String?
    /// Whether gpsd runs on this computer.
    public var isLocal = true
    /// Number of receivers of gpsd; nil if not reported.
    public var receivers: Int?
    /// Receiver that sent the reports.
    public var device: String?
    /// Number of reports, with or without a position.
    public var reports = 0
    /// Number of reports with a position.
    public var fixes = 0
    /// Number of fixes whose time had not gone on since the fix of seconds before.
    public var standingFixes = 0
    /// Number of fixes without a time.
    public var timelessFixes = 0
    /// Whether the newest fix comes from the receiver's simulator.
    public var isSimulated = false
    /// Position of the newest fix.
    public var position: GeodeticPosition?
    /// Receiver time of the newest fix. Unit: seconds since 1970 UTC.
    public var time: Double?
    /// Age of the newest fix on arrival, by the system clock. Unit: seconds.
    public var age: Double?

    /// A gpsd without data yet.
    public init(address: String, wanted: String = "") {
        self.address = address
        self.wanted = wanted
    }
}

/// The system clock.
public struct ClockFacts: Hashable, Sendable {
    /// Current time. Unit: seconds since 1970 UTC.
    public var now: Double
    /// Whether the kernel reports the clock as synchronised; nil if not reported.
    public var isSynchronised: Bool?

    /// The clock at one moment.
    public init(now: Double, isSynchronised: Bool?) {
        self.now = now
        self.isSynchronised = isSynchronised
    }
}

/// Folders that the daemon writes to.
public struct StorageFacts: Hashable, Sendable {
    /// One folder of the daemon.
    public struct Folder: Hashable, Sendable {
        /// Path from the settings.
        public var path: String
        /// Whether the folder exists.
        public var exists: Bool
        /// Permissions of the folder, or of its nearest existing ancestor.
        public var permission: Permission?
        /// Whether its file system is mounted read-only.
        public var isReadOnly = false
        /// Free space for unprivileged users; nil if not reported. Unit: bytes.
        public var free: UInt64?
        /// Whether the file system has no free inodes.
        public var hasNoNodes = false

        /// A folder without further facts.
        public init(path: String, exists: Bool) {
            self.path = path
            self.exists = exists
        }
    }

    /// `state.directory`.
    public var state: Folder
    /// `recording.directory`.
    public var recordings: Folder
    /// Minimum free space, below which recordings end. Unit: bytes.
    public var recordingMinimum: UInt64

    /// The daemon's folders.
    public init(state: Folder, recordings: Folder, recordingMinimum: UInt64) {
        self.state = state
        self.recordings = recordings
        self.recordingMinimum = recordingMinimum
    }
}

/// Stored calibrations.
public struct CalibrationFacts: Sendable {
    /// Stored calibration of one sensor.
    public struct Entry: Hashable, Sendable {
        /// `gyroscope`, `accelerometer`, `magnetometer` or `mount`.
        public var sensor: String
        /// Name of the calibrated device.
        public var device: String
        /// Device name of a calibration that is not bound to a device.
        public static let anyDevice = "any device"
        /// Age. Unit: seconds.
        public var age: Double
        /// Whether the calibration is active; nil without a daemon.
        public var isInForce: Bool?
        /// Whether it was made under a different mount matrix than the present one; nil if either is unknown.
        public var isOfOtherMount: Bool?

        /// One calibration.
        public init(sensor: String, device: String, age: Double, isInForce: Bool?, isOfOtherMount: Bool? = nil) {
            self.sensor = sensor
            self.device = device
            self.age = age
            self.isInForce = isInForce
            self.isOfOtherMount = isOfOtherMount
        }
    }

    /// Bias of the gyroscope that the estimator has found beyond its calibration. Unit: rad/s.
    public struct GyroscopeBias: Hashable, Sendable {
        /// Length of the vector.
        public var magnitude: Double
        /// Largest standard deviation of an axis.
        public var standardDeviation: Double

        /// A bias.
        public init(magnitude: Double, standardDeviation: Double) {
            self.magnitude = magnitude
            self.standardDeviation = standardDeviation
        }
    }

    /// Stored calibrations of all sensors and boards.
    public var entries: [Entry]
    /// `calibration.apply` of the settings.
    public var isApplied: Bool
    /// Files that are not readable as calibrations.
    public var damaged: [String] = []
    /// What the running daemon has found; nil without one, and before its first samples.
    public var gyroscopeBias: GyroscopeBias?

    /// Calibrations without damaged files.
    public init(entries: [Entry], isApplied: Bool) {
        self.entries = entries
        self.isApplied = isApplied
    }
}

/// The configured routing service and the result of a test request.
public struct RoutingFacts: Hashable, Sendable {
    /// Result of the test request.
    public enum Outcome: Hashable, Sendable {
        case answered
        /// No connection or a broken one, with the libcurl error.
        case unreachable(String)
        case silent(seconds: Double)
        /// The service rejected the request, with its error message.
        case refused(String)
        /// The response is not that of a routing service, with a description.
        case foreign(String)
        /// libcurl could not be loaded, with the error of the loader.
        case noLibrary(String)
    }

    /// Service with its address, such as `osrm+http://127.0.0.1:5000`.
    public var service: String
    /// `navigation.profile`.
    public var profile: String
    /// Result of the test request.
    public var outcome: Outcome

    /// A service and the result of a request to it.
    public init(service: String, profile: String, outcome: Outcome) {
        self.service = service
        self.profile = profile
        self.outcome = outcome
    }
}
