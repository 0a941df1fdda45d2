/// Set of what is missing or wrong, also while it does not prevent the state `localized`.
@frozen
public struct LimitingReasons: OptionSet, Hashable, Sendable {
    /// Bits of the set.
    public let rawValue: UInt32

    /// Makes a set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Accelerometer or gyroscope are silent; if only one of them is, its own bit is set as well.
    public static let noInertialData = LimitingReasons(rawValue: 1 << 0)
    /// The magnetometer is silent.
    public static let noMagneticData = LimitingReasons(rawValue: 1 << 1)
    /// The GNSS receiver is silent.
    public static let noGNSSData = LimitingReasons(rawValue: 1 << 2)
    /// Fixes are inaccurate, or contradict the estimate.
    public static let poorGNSS = LimitingReasons(rawValue: 1 << 3)
    /// The magnetic field differs from that of the place.
    public static let magneticDisturbance = LimitingReasons(rawValue: 1 << 4)
    /// The accuracy of the heading is not sufficient.
    public static let headingUncertain = LimitingReasons(rawValue: 1 << 5)
    /// The accuracy of the position is not sufficient.
    public static let positionUncertain = LimitingReasons(rawValue: 1 << 6)
    /// Inertial samples were missing a short while ago.
    public static let inertialGap = LimitingReasons(rawValue: 1 << 7)
    /// Silent accelerometer, while the gyroscope delivers.
    public static let noAccelerometerData = LimitingReasons(rawValue: 1 << 8)
    /// Silent gyroscope, while the accelerometer delivers.
    public static let noGyroscopeData = LimitingReasons(rawValue: 1 << 9)
    /// The gyroscope bias is not known well: neither rest nor another measurement has determined it.
    public static let gyroBiasUncertain = LimitingReasons(rawValue: 1 << 10)
    /// Unknown heading: no measurement has determined it yet.
    public static let headingUnknown = LimitingReasons(rawValue: 1 << 11)
    /// The accelerometer reports impossible values: its unit or scale is wrong, or it is stuck.
    public static let implausibleAccelerometer = LimitingReasons(rawValue: 1 << 12)
    /// The gyroscope reports impossible values, likewise.
    public static let implausibleGyroscope = LimitingReasons(rawValue: 1 << 13)
    /// The magnetometer reports impossible values, likewise.
    public static let implausibleMagnetometer = LimitingReasons(rawValue: 1 << 14)
    /// The clock of the time stamps was set back, and the estimator has started again.
    public static let clockStepped = LimitingReasons(rawValue: 1 << 15)

    package static let count = 16

    /// Reasons that prevent the state `localized`.
    package static let blocking: LimitingReasons = [.noInertialData, .headingUncertain, .positionUncertain]
}
