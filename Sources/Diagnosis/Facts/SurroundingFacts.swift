import Geodesy

/// What gpsd said when it was asked.
public struct ReceiverFacts: Sendable {
    /// `host:port`.
    public var address: String
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
    /// Reports of a receiver, and those of them with a place.
    public var reports = 0
    public var fixes = 0
    public var position: GeodeticPosition?
    /// Seconds since 1970 UTC by the receiver, and how much later by the system's clock it arrived.
    public var time: Double?
    public var age: Double?

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

    public init(now: Double, isSynchronised: Bool?) {
        self.now = now
        self.isSynchronised = isSynchronised
    }
}

/// Where the daemon writes.
public struct StorageFacts: Hashable, Sendable {
    /// One folder of the daemon's.
    public struct Folder: Hashable, Sendable {
        public var path: String
        public var exists: Bool
        /// Of the folder, or of the nearest one above it that is there.
        public var permission: Permission?
        public var isReadOnly = false
        /// For whom has no privileges. Unit: bytes; absent where the file system does not tell.
        public var free: UInt64?
        /// Whether no new file has a place, for want of inodes.
        public var hasNoNodes = false

        public init(path: String, exists: Bool) {
            self.path = path
            self.exists = exists
        }
    }

    public var state: Folder
    public var recordings: Folder
    /// Below so much a recording ends. Unit: bytes.
    public var recordingMinimum: UInt64

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
        public var device: String
        /// Seconds since it was made.
        public var age: Double
        /// Absent where no daemon could tell.
        public var isInForce: Bool?
        /// Whether the mount matrix under which it was made is not the one of now; absent where one is not known.
        public var isOfOtherMount: Bool?

        public init(sensor: String, device: String, age: Double, isInForce: Bool?, isOfOtherMount: Bool? = nil) {
            self.sensor = sensor
            self.device = device
            self.age = age
            self.isInForce = isInForce
            self.isOfOtherMount = isOfOtherMount
        }
    }

    public var entries: [Entry]
    /// `calibration.apply` of the settings.
    public var isApplied: Bool
    /// Files that hold no calibration that this program can read.
    public var damaged: [String] = []

    public init(entries: [Entry], isApplied: Bool) {
        self.entries = entries
        self.isApplied = isApplied
    }
}
