import Geodesy

/// What gpsd said when it was asked.
public struct ReceiverFacts: Sendable {
    /// `host:port`, an IPv6 address in brackets.
    public var address: String
    /// The part before the port, without brackets.
    var host: String {
        let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
        return String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host)
    }
    /// The receiver that the settings name; empty for any.
    public var wanted: String
    /// Why gpsd could not be talked to.
    public var problem: String?
    /// What gpsd refused.
    public var refusal: String?
    /// Whether gpsd runs on this computer.
    public var isLocal = true
    /// How many receivers it has; absent where it did not say.
    public var receivers: Int?
    /// The receiver that spoke.
    public var device: String?
    /// Of a receiver, with a place or without.
    public var reports = 0
    /// Reports with a place.
    public var fixes = 0
    /// Of the newest fix.
    public var position: GeodeticPosition?
    /// Of the newest fix: seconds since 1970 UTC by the receiver.
    public var time: Double?
    /// Seconds from the time of the newest fix to its arrival, by the system's clock.
    public var age: Double?

    /// A gpsd that has said nothing yet.
    public init(address: String, wanted: String = "") {
        self.address = address
        self.wanted = wanted
    }
}

/// The system's clock.
public struct ClockFacts: Hashable, Sendable {
    /// Seconds since 1970 UTC.
    public var now: Double
    /// Whether the kernel holds it for synchronised; absent where it does not tell.
    public var isSynchronised: Bool?

    /// The clock at one moment.
    public init(now: Double, isSynchronised: Bool?) {
        self.now = now
        self.isSynchronised = isSynchronised
    }
}

/// Where the daemon writes.
public struct StorageFacts: Hashable, Sendable {
    /// One folder of the daemon's.
    public struct Folder: Hashable, Sendable {
        /// As the settings have it.
        public var path: String
        /// Whether it is there.
        public var exists: Bool
        /// Of the folder, or of the nearest one above it that is there.
        public var permission: Permission?
        /// Whether its file system is mounted read-only.
        public var isReadOnly = false
        /// For whom has no privileges. Unit: bytes; absent where the file system does not tell.
        public var free: UInt64?
        /// Whether no new file has a place, for want of inodes.
        public var hasNoNodes = false

        /// A folder on a file system of which nothing is known.
        public init(path: String, exists: Bool) {
            self.path = path
            self.exists = exists
        }
    }

    /// `state.directory`.
    public var state: Folder
    /// `recording.directory`.
    public var recordings: Folder
    /// Below so much a recording ends. Unit: bytes.
    public var recordingMinimum: UInt64

    /// The daemon's folders.
    public init(state: Folder, recordings: Folder, recordingMinimum: UInt64) {
        self.state = state
        self.recordings = recordings
        self.recordingMinimum = recordingMinimum
    }
}

/// What is kept of calibrations.
public struct CalibrationFacts: Sendable {
    /// Of one sensor.
    public struct Entry: Hashable, Sendable {
        /// `gyroscope`, `accelerometer`, `magnetometer` or `mount`.
        public var sensor: String
        /// The name of the device that it was made with.
        public var device: String
        /// The name of the device where the calibration is bound to none.
        public static let anyDevice = "any device"
        /// Seconds since it was made.
        public var age: Double
        /// Absent where no daemon could tell.
        public var isInForce: Bool?
        /// Whether the mount matrix under which it was made is not the one of now; absent where one is not known.
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

    /// Of all sensors and boards that are kept.
    public var entries: [Entry]
    /// `calibration.apply` of the settings.
    public var isApplied: Bool
    /// Files that hold no calibration that this program can read.
    public var damaged: [String] = []

    /// With no damaged file.
    public init(entries: [Entry], isApplied: Bool) {
        self.entries = entries
        self.isApplied = isApplied
    }
}
