/// Set of what is missing or wrong, also while it does not prevent the state `localized`.
@frozen
public struct LimitingReasons: OptionSet, Hashable, Sendable {
    /// Bits of the set.
    public let rawValue: UInt32

    /// Makes a set of its bits.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Accelerometer or gyroscope are silent; if only one of them is, its own bit is set as well.
    @inlinable
    public static var noInertialData: LimitingReasons { LimitingReasons(rawValue: 1 << 0) }
    /// The magnetometer is silent.
    @inlinable
    public static var noMagneticData: LimitingReasons { LimitingReasons(rawValue: 1 << 1) }
    /// The GNSS receiver is silent.
    @inlinable
    public static var noGNSSData: LimitingReasons { LimitingReasons(rawValue: 1 << 2) }
    /// Fixes are inaccurate, or contradict the estimate.
    @inlinable
    public static var poorGNSS: LimitingReasons { LimitingReasons(rawValue: 1 << 3) }
    /// The magnetic field differs from that of the place.
    @inlinable
    public static var magneticDisturbance: LimitingReasons { LimitingReasons(rawValue: 1 << 4) }
    /// The accuracy of the heading is not sufficient.
    @inlinable
    public static var headingUncertain: LimitingReasons { LimitingReasons(rawValue: 1 << 5) }
    /// The accuracy of the position is not sufficient.
    @inlinable
    public static var positionUncertain: LimitingReasons { LimitingReasons(rawValue: 1 << 6) }
    /// Inertial samples were missing a short while ago.
    @inlinable
    public static var inertialGap: LimitingReasons { LimitingReasons(rawValue: 1 << 7) }
    /// Silent accelerometer, while the gyroscope delivers.
    @inlinable
    public static var noAccelerometerData: LimitingReasons { LimitingReasons(rawValue: 1 << 8) }
    /// Silent gyroscope, while the accelerometer delivers.
    @inlinable
    public static var noGyroscopeData: LimitingReasons { LimitingReasons(rawValue: 1 << 9) }
    /// The gyroscope bias is not known well: neither rest nor another measurement has determined it.
    @inlinable
    public static var gyroBiasUncertain: LimitingReasons { LimitingReasons(rawValue: 1 << 10) }
    /// Unknown heading: no measurement has determined it yet.
    @inlinable
    public static var headingUnknown: LimitingReasons { LimitingReasons(rawValue: 1 << 11) }
    /// The accelerometer reports impossible values: its unit or scale is wrong, or it is stuck.
    @inlinable
    public static var implausibleAccelerometer: LimitingReasons { LimitingReasons(rawValue: 1 << 12) }
    /// The gyroscope reports impossible values, likewise.
    @inlinable
    public static var implausibleGyroscope: LimitingReasons { LimitingReasons(rawValue: 1 << 13) }
    /// The magnetometer reports impossible values, likewise.
    @inlinable
    public static var implausibleMagnetometer: LimitingReasons { LimitingReasons(rawValue: 1 << 14) }
    /// The clock of the time stamps was set back, and the estimator has started again.
    @inlinable
    public static var clockStepped: LimitingReasons { LimitingReasons(rawValue: 1 << 15) }

    package static let count = 16

    /// Reasons that prevent the state `localized`.
    @inlinable
    package static var blocking: LimitingReasons { [.noInertialData, .headingUncertain, .positionUncertain] }
}
