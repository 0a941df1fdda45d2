/// Set of conditions that are missing or wrong. Some of them do not prevent the state `localized`.
@frozen
public struct LimitingReasons: OptionSet, Hashable, Sendable, Codable {
    /// Bits of the set.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The accelerometer or the gyroscope is silent. If only one of them is, its own bit is also set.
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
    /// The magnetic field differs from the model's field at this place.
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
    /// The accelerometer is silent, while the gyroscope delivers samples.
    @inlinable
    public static var noAccelerometerData: LimitingReasons { LimitingReasons(rawValue: 1 << 8) }
    /// The gyroscope is silent, while the accelerometer delivers samples.
    @inlinable
    public static var noGyroscopeData: LimitingReasons { LimitingReasons(rawValue: 1 << 9) }
    /// The gyroscope bias is poorly known: neither rest nor another measurement has determined it.
    @inlinable
    public static var gyroBiasUncertain: LimitingReasons { LimitingReasons(rawValue: 1 << 10) }
    /// The heading is unknown because no measurement has determined it yet.
    @inlinable
    public static var headingUnknown: LimitingReasons { LimitingReasons(rawValue: 1 << 11) }
    /// The accelerometer reports impossible values: its unit or scale is wrong, or it is stuck.
    @inlinable
    public static var implausibleAccelerometer: LimitingReasons { LimitingReasons(rawValue: 1 << 12) }
    /// The gyroscope reports impossible values: its unit or scale is wrong, or it is stuck.
    @inlinable
    public static var implausibleGyroscope: LimitingReasons { LimitingReasons(rawValue: 1 << 13) }
    /// The magnetometer reports impossible values: its unit or scale is wrong, or it is stuck.
    @inlinable
    public static var implausibleMagnetometer: LimitingReasons { LimitingReasons(rawValue: 1 << 14) }
    /// The clock of the time stamps was set back, so the estimator has started anew.
    @inlinable
    public static var clockStepped: LimitingReasons { LimitingReasons(rawValue: 1 << 15) }
    /// The heading comes from the magnetometer alone, which may have a lasting error. No motion has confirmed the
    /// heading in this run or shortly before it.
    @inlinable
    public static var headingUnconfirmed: LimitingReasons { LimitingReasons(rawValue: 1 << 16) }

    package static let count = 17

    /// Reasons that prevent the state `localized`.
    @inlinable
    package static var blocking: LimitingReasons {
        [.noInertialData, .headingUncertain, .positionUncertain, .headingUnconfirmed]
    }
}

/// Advice to the wearer or installer on how to improve the pose, the most important first.
public enum Advice: UInt8, CaseIterable, Hashable, Sendable {
    case checkInertialSensors
    case checkAccelerometer
    case checkGyroscope
    case checkAccelerometerScale
    case checkGyroscopeScale
    case standStill
    case goOutside
    case giveSky
    case waitForPosition
    case walkSteps
    case leaveMetal
    case walkStraight
    case turnAbout
    case checkMagnetometerScale
    case checkMagnetometer
    case checkLoad

    /// Returns the advice for a tracking state, the most important first; empty if none is needed.
    ///
    /// In the state `localized`, only advice on current or imminent losses is given, because everything else resolves
    /// itself.
    public static func list(for state: TrackingState, _ reasons: LimitingReasons) -> [Advice] {
        // Without inertial samples no other advice helps.
        if reasons.contains(.noInertialData) { return [silentSensor(reasons)] }
        return allCases.filter { $0.helps(state, reasons) }
    }

    private static func silentSensor(_ reasons: LimitingReasons) -> Advice {
        if reasons.contains(.noAccelerometerData) { return .checkAccelerometer }
        return reasons.contains(.noGyroscopeData) ? .checkGyroscope : .checkInertialSensors
    }

    private func helps(_ state: TrackingState, _ reasons: LimitingReasons) -> Bool {
        let isLocalized = state == .localized
        switch self {
        case .checkInertialSensors, .checkAccelerometer, .checkGyroscope: return false
        case .checkAccelerometerScale: return reasons.contains(.implausibleAccelerometer)
        case .checkGyroscopeScale: return reasons.contains(.implausibleGyroscope)
        case .checkMagnetometerScale: return reasons.contains(.implausibleMagnetometer)
        case .standStill: return state == .initializing || !isLocalized && reasons.contains(.gyroBiasUncertain)
        case .goOutside: return reasons.contains(.noGNSSData)
        case .giveSky: return reasons.contains([.positionUncertain, .poorGNSS])
        case .waitForPosition:
            return reasons.contains(.positionUncertain) && reasons.isDisjoint(with: [.poorGNSS, .noGNSSData])
        case .walkSteps: return Self.needsSteps(state, reasons)
        case .leaveMetal:
            return reasons.contains([.headingUncertain, .magneticDisturbance]) && !Self.needsSteps(state, reasons)
        case .walkStraight:
            return reasons.contains(.headingUncertain)
                && reasons.isDisjoint(with: [.noGNSSData, .headingUnconfirmed])
        case .turnAbout: return Advice.needsTurning(state, reasons)
        case .checkMagnetometer: return reasons.contains([.headingUncertain, .noMagneticData])
        case .checkLoad: return reasons.contains(.inertialGap)
        }
    }

    /// Whether a few steps with satellite reception would confirm the heading.
    private static func needsSteps(_ state: TrackingState, _ reasons: LimitingReasons) -> Bool {
        state != .initializing && reasons.contains(.headingUnconfirmed)
            && reasons.isDisjoint(with: [.noGNSSData, .positionUncertain])
    }

    /// Whether turning around would help. It does if the magnetic field is undisturbed but gives no heading, because
    /// the hard iron of an uncalibrated magnetometer is unknown. It is not needed if motion with fixes can determine
    /// the heading, or after a gap, because the heading then returns by itself.
    private static func needsTurning(_ state: TrackingState, _ reasons: LimitingReasons) -> Bool {
        let isMotionAwaited = reasons.contains(.headingUnconfirmed) && !reasons.contains(.noGNSSData)
        return state != .initializing && reasons.contains(.headingUncertain) && !isMotionAwaited
            && reasons.isDisjoint(with: [
                .noMagneticData, .magneticDisturbance, .implausibleMagnetometer, .inertialGap,
            ])
    }

    /// Advice as text, in English, on one line.
    public var text: String {
        switch self {
        case .checkInertialSensors: "check the connection of accelerometer and gyroscope: waymark devices"
        case .checkAccelerometer: "check the connection of the accelerometer: waymark devices"
        case .checkGyroscope: "check the connection of the gyroscope: waymark devices"
        case .checkAccelerometerScale: "check unit and scale of the accelerometer: waymark devices"
        case .checkGyroscopeScale: "check unit and scale of the gyroscope: waymark devices"
        case .standStill: "stand still for 2 s"
        case .goOutside: "move to a clear view of the sky; if still no fix: waymark devices"
        case .giveSky: "move to a better view of the sky, away from walls and trees"
        case .waitForPosition: "stay under the open sky until the position has converged"
        case .walkSteps: "walk a few steps: so far only the compass shows where north is"
        case .leaveMetal: "move away from metal, magnets and vehicles"
        case .walkStraight: "walk 20 m straight under the open sky"
        case .turnAbout: "rotate the board in all directions, or run waymark calibrate mag"
        case .checkMagnetometerScale: "check unit and calibration of the magnetometer: waymark devices"
        case .checkMagnetometer: "check the connection of the magnetometer: waymark devices"
        case .checkLoad: "check the cable of the inertial sensor and the CPU load"
        }
    }
}
