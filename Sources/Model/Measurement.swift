import Geodesy
import Geometry

/// What a source delivers: a value with its boot-time stamp.
///
/// A sequence of these, in the order in which they reached the engine, determines every pose to the last bit.
@frozen
public enum Measurement: Hashable, Sendable {
    case angularRate(AngularRateSample)
    case specificForce(SpecificForceSample)
    case magneticField(MagneticSample)
    case pressure(PressureSample)
    case fix(GNSSFix)
    /// From here on the values of a sensor, or the axes of all, are put right in another way.
    case calibration(SensorCalibration)
    /// Nothing but the passing of time, fed at 1 Hz or faster so that silence of a sensor is noticed.
    case clock(BootTime)

    /// When the measured thing was so.
    public var time: BootTime {
        switch self {
        case .angularRate(let sample): sample.time
        case .specificForce(let sample): sample.time
        case .magneticField(let sample): sample.time
        case .pressure(let sample): sample.time
        case .fix(let fix): fix.epoch
        case .calibration(let calibration): calibration.time
        case .clock(let time): time
        }
    }

    /// When it reached this computer, as far as it knows: the order in which the engine takes it.
    public var arrival: BootTime {
        if case .fix(let fix) = self { return fix.arrival }
        return time
    }
}

/// Angular rate of the body against inertial space. Frame: body. Unit: rad/s.
@frozen
public struct AngularRateSample: Hashable, Sendable {
    public var time: BootTime
    public var rate: Vector3

    @inlinable
    public init(time: BootTime, rate: Vector3) {
        self.time = time
        self.rate = rate
    }
}

/// Specific force: acceleration less gravity, +g along up at rest. Frame: body. Unit: m/s².
@frozen
public struct SpecificForceSample: Hashable, Sendable {
    public var time: BootTime
    public var force: Vector3

    @inlinable
    public init(time: BootTime, force: Vector3) {
        self.time = time
        self.force = force
    }
}

/// Magnetic flux density. Frame: body. Unit: microtesla.
@frozen
public struct MagneticSample: Hashable, Sendable {
    public var time: BootTime
    public var field: Vector3

    @inlinable
    public init(time: BootTime, field: Vector3) {
        self.time = time
        self.field = field
    }
}

/// Air pressure. Unit: hectopascal.
@frozen
public struct PressureSample: Hashable, Sendable {
    public var time: BootTime
    public var pressureHectopascal: Double

    @inlinable
    public init(time: BootTime, pressureHectopascal: Double) {
        self.time = time
        self.pressureHectopascal = pressureHectopascal
    }
}
