/// How the daemon does (`org.waymark.Status`). What is not known is nil.
public struct Status: Codable, Hashable, Sendable {
    public var version: String
    /// Unit: seconds.
    public var uptime: Double
    /// "simulation" or "sensors".
    public var source: String
    public var state: TrackingState
    public var reasons: [String]
    public var sources: [String]
    /// Unit: metres, 68 %.
    public var horizontalAccuracy: Double?
    /// Unit: metres, 68 %.
    public var verticalAccuracy: Double?
    /// Unit: degrees, 68 %.
    public var orientationYawAccuracy: Double?
    public var headingReference: HeadingReference
    public var generation: Int
    /// What the scene frame has still to turn. Unit: degrees.
    public var slewAngle: Double
    /// What the scene frame has still to move. Unit: metres.
    public var slewDistance: Double
    /// Published since the start.
    public var poses: Int
    /// Lately. Unit: Hz.
    public var poseRate: Double
    public var clients: Int
    public var subscriptions: Int
    public var devices: [Device]
    public var recording: Recording?
}

/// One sensor or receiver.
public struct Device: Codable, Hashable, Sendable {
    public var name: String
    public var identifier: String
    public var state: State
    /// Why it is in that state, and what to do about it.
    public var detail: String?
    public var channels: [Channel]
    /// Unit: Hz.
    public var requestedRate: Double?
    /// Unit: Hz.
    public var grantedRate: Double?
    /// Row by row. Frame: body axes from sensor axes.
    public var mountMatrix: [Double]?
    /// udev, device, configuration or none.
    public var mountMatrixOrigin: String?
    /// boottime, monotonic, realtime or host.
    public var clock: String?
    public var samples: Int
    public var gaps: Int
    public var dropped: Int
    /// Since the last sample. Unit: seconds.
    public var age: Double?

    public enum State: String, Codable, Hashable, Sendable {
        case searching, streaming, polling, silent, failed
    }

    public struct Channel: Codable, Hashable, Sendable {
        public var name: String
        /// As the kernel packs it, such as "le:s16/16>>0"; nil when the channel is polled.
        public var format: String?
        /// To m/s², rad/s, gauss or kilopascal.
        public var scale: Double
        public var offset: Double
    }
}

/// A recording that runs, or that was stopped just now.
public struct Recording: Codable, Hashable, Sendable {
    public var path: String
    public var messages: Int
    public var bytes: Int
    public var dropped: Int
}
