/// What is missing or wrong, also where it is not enough to keep the state from being `localized`.
@frozen
public struct LimitingReasons: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Accelerometer or gyroscope are silent; where one of the two still speaks, the silent one is named as well.
    public static let noInertialData = LimitingReasons(rawValue: 1 << 0)
    public static let noMagneticData = LimitingReasons(rawValue: 1 << 1)
    public static let noGNSSData = LimitingReasons(rawValue: 1 << 2)
    public static let poorGNSS = LimitingReasons(rawValue: 1 << 3)
    public static let magneticDisturbance = LimitingReasons(rawValue: 1 << 4)
    public static let headingUncertain = LimitingReasons(rawValue: 1 << 5)
    public static let positionUncertain = LimitingReasons(rawValue: 1 << 6)
    public static let inertialGap = LimitingReasons(rawValue: 1 << 7)
    /// Only the accelerometer is silent.
    public static let noAccelerometerData = LimitingReasons(rawValue: 1 << 8)
    /// Only the gyroscope is silent.
    public static let noGyroscopeData = LimitingReasons(rawValue: 1 << 9)
    /// The body has not rested yet, nor has anything else told the bias.
    public static let gyroBiasUncertain = LimitingReasons(rawValue: 1 << 10)
    /// Nothing has told north yet: it is being searched for.
    public static let headingUnknown = LimitingReasons(rawValue: 1 << 11)
    /// What the sensor says cannot be: its unit or scale is wrong, or it is stuck.
    public static let implausibleAccelerometer = LimitingReasons(rawValue: 1 << 12)
    public static let implausibleGyroscope = LimitingReasons(rawValue: 1 << 13)
    public static let implausibleMagnetometer = LimitingReasons(rawValue: 1 << 14)
    /// The clock of the stamps was set back, and all began anew.
    public static let clockStepped = LimitingReasons(rawValue: 1 << 15)

    package static let count = 16

    /// Those without any of which the state is `localized`.
    package static let blocking: LimitingReasons = [.noInertialData, .headingUncertain, .positionUncertain]
}
