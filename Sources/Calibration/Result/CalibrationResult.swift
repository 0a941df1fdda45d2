import Geometry
import Model

/// What came of a calibration.
public struct CalibrationResult: Hashable, Sendable {
    public var kind: CalibrationKind
    public var verdict: CalibrationVerdict
    /// By sensor; empty where nothing could be fitted.
    public var fits: [SensorFit]
    /// Over what was fitted: of |f| over the poses, of |m| over the samples, of the rate at rest.
    public var residualRMS: Double?
    /// The same with what was in force before.
    public var residualRMSBefore: Double?
    /// `m/s²`, `rad/s`, `µT`, `rad`, or `1` for parts of the field.
    public var residualUnit: String
    /// What the fit leaves in the heading and in the tilt, as an RMS over directions. Unit: radians.
    public var predictedHeadingError: Double?
    public var predictedTiltError: Double?
    public var poses: Int?
    /// Directions seen.
    public var coverage: SphereCoverage?
    /// By axis: gyroscope x, y, z, accelerometer x, y, z.
    public var noise: [AxisNoise]
    /// Of the sensor, as it was noted. Unit: degrees Celsius.
    public var temperature: Double?
    public var samples: Int
    public var seconds: Double

    public init(kind: CalibrationKind, verdict: CalibrationVerdict, residualUnit: String) {
        self.kind = kind
        self.verdict = verdict
        self.residualUnit = residualUnit
        fits = []
        noise = []
        samples = 0
        seconds = 0
    }
}

/// The fitted parameters of one sensor: `true = correction · (measured − bias)`.
public struct SensorFit: Hashable, Sendable {
    public var sensor: SensorCalibration.Sensor
    /// From measured units to rad/s, m/s², microtesla (or 1).
    public var correction: Matrix<3, 3>
    /// In measured units.
    public var bias: Vector3
    /// Standard deviations of the elements of `correction`; zero where one is fixed.
    public var correctionDeviation: Matrix<3, 3>
    /// In measured units.
    public var biasDeviation: Vector3

    public init(
        sensor: SensorCalibration.Sensor, correction: Matrix<3, 3> = .identity, bias: Vector3 = .zero,
        correctionDeviation: Matrix<3, 3> = Matrix(), biasDeviation: Vector3 = .zero
    ) {
        self.sensor = sensor
        self.correction = correction
        self.bias = bias
        self.correctionDeviation = correctionDeviation
        self.biasDeviation = biasDeviation
    }
}
