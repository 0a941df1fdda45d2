import Geodesy
import Geometry

/// Input of the engine from a source: a value with its boot-time stamp.
///
/// A sequence of measurements, in the order in which they reached the engine, determines every pose to the last bit.
@frozen
public enum Measurement: Hashable, Sendable {
    /// Sample of the gyroscope.
    case angularRate(AngularRateSample)
    /// Sample of the accelerometer.
    case specificForce(SpecificForceSample)
    /// Sample of the magnetometer.
    case magneticField(MagneticSample)
    /// Sample of the barometer.
    case pressure(PressureSample)
    /// Solution of the GNSS receiver.
    case fix(GNSSFix)
    /// A new sensor calibration or mount takes effect.
    case calibration(SensorCalibration)
    /// Time alone, fed at 1 Hz or faster so that the silence of a sensor is noticed.
    case clock(BootTime)

    /// Instant for which the measurement is valid.
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

    /// Instant at which it reached this computer, if known, otherwise `time`; the engine processes measurements in this
    /// order.
    public var arrival: BootTime {
        if case .fix(let fix) = self { return fix.arrival }
        return time
    }
}

/// Angular rate of the body against inertial space. Frame: body. Unit: rad/s.
@frozen
public struct AngularRateSample: Hashable, Sendable {
    /// Instant of the sample.
    public var time: BootTime
    /// Angular rate. Frame: body. Unit: rad/s.
    public var rate: Vector3

    /// A sample of the gyroscope.
    @inlinable
    public init(time: BootTime, rate: Vector3) {
        self.time = time
        self.rate = rate
    }
}

/// Specific force, that is, acceleration less gravity: +g along up at rest. Frame: body. Unit: m/s².
@frozen
public struct SpecificForceSample: Hashable, Sendable {
    /// Instant of the sample.
    public var time: BootTime
    /// Specific force. Frame: body. Unit: m/s².
    public var force: Vector3

    /// A sample of the accelerometer.
    @inlinable
    public init(time: BootTime, force: Vector3) {
        self.time = time
        self.force = force
    }
}

/// Magnetic flux density. Frame: body. Unit: microtesla.
@frozen
public struct MagneticSample: Hashable, Sendable {
    /// Instant of the sample.
    public var time: BootTime
    /// Magnetic flux density. Frame: body. Unit: microtesla.
    public var field: Vector3

    /// A sample of the magnetometer.
    @inlinable
    public init(time: BootTime, field: Vector3) {
        self.time = time
        self.field = field
    }
}

/// Air pressure. Unit: hectopascal.
@frozen
public struct PressureSample: Hashable, Sendable {
    /// Instant of the sample.
    public var time: BootTime
    /// Static air pressure. Unit: hectopascal.
    public var pressureHectopascal: Double

    /// A sample of the barometer.
    @inlinable
    public init(time: BootTime, pressureHectopascal: Double) {
        self.time = time
        self.pressureHectopascal = pressureHectopascal
    }
}
