/// One quantity of a device as it delivers it.
public struct Channel: Codable, Equatable, Sendable {
    public var name: String
    /// As the kernel packs it, such as `le:s16/16>>0`; nil when the channel is polled.
    public var format: String?
    /// To m/s², rad/s, gauss or kilopascal.
    public var scale: Double
    public var offset: Double
}

/// What a device does.
public enum DeviceState: String, Codable, Sendable {
    case searching
    case streaming
    case polling
    case silent
    case failed
}

/// A sensor, and what the daemon made of it.
public struct Device: Codable, Equatable, Sendable {
    public var name: String
    public var identifier: String
    public var state: DeviceState
    /// Why, and what to do about it.
    public var detail: String?
    public var channels: [Channel]
    /// Hz.
    public var requestedRate: Double?
    /// Hz.
    public var grantedRate: Double?
    /// Row by row, sensor axes to body axes.
    public var mountMatrix: [Double]?
    /// `udev`, `device`, `configuration` or `none`.
    public var mountMatrixOrigin: String?
    /// `boottime`, `monotonic`, `realtime` or `host`.
    public var clock: String?
    public var samples: Int
    public var gaps: Int
    public var dropped: Int
    /// Seconds since the last sample.
    public var age: Double?
    /// Degrees Celsius; nil where its driver does not tell it.
    public var temperature: Double?
}

/// A recording as it is, or as it was when it was stopped.
public struct Recording: Codable, Equatable, Sendable {
    public var path: String
    public var messages: Int
    public var bytes: Int
    /// Messages lost because the disk was too slow.
    public var dropped: Int
}

/// What became of what an earlier run had learned.
public struct WarmStartStatus: Codable, Equatable, Sendable {
    /// A part that the estimate did not begin with, or gave up.
    public struct Dropped: Codable, Equatable, Sendable {
        public var part: String
        /// Such as `tooOld` or `contradicted`.
        public var reason: String
    }

    /// Such as `gyroBias`; later versions may add more.
    public var used: [String]
    public var dropped: [Dropped]
    /// Seconds; nil where there is none.
    public var age: Double?
    /// Why there is none.
    public var detail: String?
}

/// The monitor of the axes: felt against satellite motion of the last minutes, apart from the filter.
public struct HeadingMonitor: Codable, Equatable, Sendable {
    /// Degrees that it would add to the heading, clockwise; nil while that is not known.
    public var correction: Double?
    /// Standard deviation of its answer, degrees.
    public var deviation: Double
    /// Comparisons that it rests on.
    public var pairs: Int
    /// Seconds since the newest of them.
    public var age: Double
}

/// Where the wearer is by the best of the last fixes, carried on by the way since.
public struct BestEstimate: Codable, Equatable, Sendable {
    /// Degrees.
    public var latitude: Double
    public var longitude: Double
    /// Metres, 68 %.
    public var horizontalAccuracy: Double
    /// Metres in a straight line since that fix.
    public var travel: Double
    /// Seconds since that fix.
    public var age: Double
}

/// How much the sensors are let do.
public struct PowerStatus: Codable, Equatable, Sendable {
    /// `active`, or `idle` while nobody takes poses.
    public var mode: String
    /// Seconds since it is so.
    public var age: Double
    /// How often somebody came while the sensors were idle.
    public var wakes: Int
}

/// How the daemon and its sensors do.
public struct Status: Codable, Equatable, Sendable {
    public var version: String
    /// Seconds.
    public var uptime: Double
    /// `simulation` or `sensors`.
    public var source: String
    public var state: LocalizationState
    public var reasons: [String]
    /// What to do about it, in words, the most important first; nil from daemons that give none.
    public var advice: [String]?
    public var sources: [String]
    /// Metres, 68 %.
    public var horizontalAccuracy: Double?
    /// Metres, 68 %.
    public var verticalAccuracy: Double?
    /// Degrees, 68 %.
    public var orientationYawAccuracy: Double?
    /// Nil while there is no fix to carry on from.
    public var bestEstimate: BestEstimate?
    public var headingReference: HeadingReference
    /// Nil before the first pose, while the inertial sensors are silent, and from daemons that know none.
    public var motion: Motion?
    /// Nil until the wearer has moved under satellites.
    public var headingMonitor: HeadingMonitor?
    /// The same by pairs of fixes against the way that the steps alone make; nil until some 50 m have been walked.
    public var axisCorrection: HeadingMonitor?
    /// `searching`, `ready`, `lost` or `stuck`: whether something can be placed in the scene frame.
    public var readiness: String?
    /// Why not, as the interface file lists it.
    public var readinessReasons: [String]?
    public var generation: Int
    /// Degrees that the published alignment of the scene has still to turn to the filter's own.
    public var slewAngle: Double
    /// Metres over ground, at the wearer, that it has still to shift.
    public var slewDistance: Double
    /// Poses published since the start.
    public var poses: Int
    /// Poses a second lately.
    public var poseRate: Double
    public var clients: Int
    public var subscriptions: Int
    /// Nil from daemons that know none, and where measurements are not those of sensors.
    public var power: PowerStatus?
    /// Nil from daemons that know none.
    public var warmStart: WarmStartStatus?
    /// Nil from daemons that know none.
    public var calibration: CalibrationStatus?
    public var devices: [Device]
    public var recording: Recording?
}
