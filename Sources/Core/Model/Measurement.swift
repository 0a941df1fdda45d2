import Geometry

/// Value from a source, with its boot-time stamp: the input of the engine.
///
/// The measurements, in the order in which they reached the engine, determine every pose to the last bit.
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
    /// Measurement offered by another program.
    case aid(AidMeasurement)
    /// A new sensor calibration or mount takes effect.
    case calibration(SensorCalibration)
    /// A time without a value, fed at 1 Hz or faster so that the engine notices when a sensor is silent.
    case clock(BootTime)

    /// Instant for which the measurement is valid.
    public var time: BootTime {
        switch self {
        case .angularRate(let sample): sample.time
        case .specificForce(let sample): sample.time
        case .magneticField(let sample): sample.time
        case .pressure(let sample): sample.time
        case .fix(let fix): fix.epoch
        case .aid(let aid): aid.time
        case .calibration(let calibration): calibration.time
        case .clock(let time): time
        }
    }

    /// Instant at which the measurement reached this computer, or `time` if that is unknown. The engine processes
    /// measurements in the order of these instants.
    public var arrival: BootTime {
        switch self {
        case .fix(let fix): fix.arrival
        case .aid(let aid): aid.arrival
        default: time
        }
    }
}

/// Angular rate of the body relative to inertial space. Frame: body. Unit: rad/s.
@frozen
public struct AngularRateSample: Hashable, Sendable, Codable {
    /// Instant of the sample.
    public var time: BootTime
    /// Angular rate. Frame: body. Unit: rad/s.
    public var rate: Vector3

    /// Makes a sample of the gyroscope.
    @inlinable
    public init(time: BootTime, rate: Vector3) {
        self.time = time
        self.rate = rate
    }
}

/// Specific force, that is, acceleration minus gravity: +g upwards at rest. Frame: body. Unit: m/s².
@frozen
public struct SpecificForceSample: Hashable, Sendable, Codable {
    /// Instant of the sample.
    public var time: BootTime
    /// Specific force. Frame: body. Unit: m/s².
    public var force: Vector3

    /// Makes a sample of the accelerometer.
    @inlinable
    public init(time: BootTime, force: Vector3) {
        self.time = time
        self.force = force
    }
}

/// Magnetic flux density. Frame: body. Unit: microtesla.
@frozen
public struct MagneticSample: Hashable, Sendable, Codable {
    /// Instant of the sample.
    public var time: BootTime
    /// Magnetic flux density. Frame: body. Unit: microtesla.
    public var field: Vector3

    /// Makes a sample of the magnetometer.
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

    /// Makes a sample of the barometer.
    @inlinable
    public init(time: BootTime, pressureHectopascal: Double) {
        self.time = time
        self.pressureHectopascal = pressureHectopascal
    }
}

extension Measurement {
    /// Returns the same measurement with all time stamps shifted.
    ///
    /// - Parameter nanoseconds: time added to each stamp; the sum saturates.
    public func shifted(by nanoseconds: Int64) -> Measurement {
        switch self {
        case .angularRate(var sample):
            sample.time = sample.time.shifted(by: nanoseconds)
            return .angularRate(sample)
        case .specificForce(var sample):
            sample.time = sample.time.shifted(by: nanoseconds)
            return .specificForce(sample)
        case .magneticField(var sample):
            sample.time = sample.time.shifted(by: nanoseconds)
            return .magneticField(sample)
        case .pressure(var sample):
            sample.time = sample.time.shifted(by: nanoseconds)
            return .pressure(sample)
        case .fix(var fix):
            fix.epoch = fix.epoch.shifted(by: nanoseconds)
            fix.arrival = fix.arrival.shifted(by: nanoseconds)
            return .fix(fix)
        case .aid(var aid):
            aid.time = aid.time.shifted(by: nanoseconds)
            aid.arrival = aid.arrival.shifted(by: nanoseconds)
            return .aid(aid)
        case .calibration(var calibration):
            calibration.time = calibration.time.shifted(by: nanoseconds)
            return .calibration(calibration)
        case .clock(let time): return .clock(time.shifted(by: nanoseconds))
        }
    }
}

extension BootTime {
    /// Returns the instant that is later by some nanoseconds; saturates.
    public func shifted(by nanoseconds: Int64) -> BootTime {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return BootTime(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }
}

/// Calibration of one sensor that takes effect at an instant: `true = correction · (measured − bias)`.
///
/// Frame: body axes, as the sources deliver them. Units: those of the sensor's samples (rad/s, m/s², microtesla).
@frozen
public struct SensorCalibration: Hashable, Sendable {
    /// Sensor to which a calibration applies, or the board as a whole.
    @frozen
    public enum Sensor: UInt8, Hashable, Sendable, CaseIterable, Codable {
        case gyroscope
        case accelerometer
        case magnetometer
        /// The board as a whole: `correction` is the rotation from source axes to body axes, applied after the
        /// corrections of the individual sensors.
        case mount
    }

    /// Instant at which the calibration takes effect.
    public var time: BootTime
    /// Calibrated sensor.
    public var sensor: Sensor
    /// Correction matrix: scale, skew and soft iron; the identity by default.
    public var correction: Matrix<3, 3>
    /// Bias, which is the output for a zero input; hard iron for the magnetometer. Unit: that of the samples.
    public var bias: Vector3
    /// Standard deviation of the bias for each axis after the correction; zero if unknown. Unit: that of the samples.
    public var biasStandardDeviation: Vector3

    /// Makes a calibration; by default the identity.
    public init(
        time: BootTime, sensor: Sensor, correction: Matrix<3, 3> = .identity, bias: Vector3 = .zero,
        biasStandardDeviation: Vector3 = .zero
    ) {
        self.time = time
        self.sensor = sensor
        self.correction = correction
        self.bias = bias
        self.biasStandardDeviation = biasStandardDeviation
    }

    /// Returns the corrected value of a measured value.
    @inlinable
    @inline(__always)
    public func applied(to measured: Vector3) -> Vector3 { correction * (measured - bias) }
}
