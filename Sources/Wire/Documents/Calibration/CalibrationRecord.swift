import Calibration
import Geometry
import Model

/// Stored calibration of one sensor: result, method, time and the mount at that time.
public struct CalibrationRecord: Hashable, Sendable {
    /// Origin of a calibration.
    public enum Origin: String, Hashable, Sendable, CaseIterable {
        /// Result of `waymark calibrate`.
        case calibrate
        /// Imported from a document.
        case `import`
        /// Estimated by the daemon while the board was worn.
        case online
    }

    /// Time of the calibration, according to the system clock. Unit: seconds since 1970 UTC.
    public var time: Double
    package var origin: Origin
    /// Kind of the calibration, which determines what has been calibrated.
    public var kind: CalibrationKind
    /// Description of the method; empty if the kind determines it.
    public var method = ""
    /// Version of the program that made the calibration.
    public var version = ""
    /// Fitted parameters; nil for noise.
    public var fit: SensorFit?
    /// Whether the fit is in counts or another unit of a recording; if so, it is never applied to a sensor.
    public var isOfCounts = false
    /// Root mean square residual of the fit. Unit: `residualUnit`.
    public var residualRMS: Double?
    /// Root mean square residual with the calibration that was active before. Unit: `residualUnit`.
    public var residualRMSBefore: Double?
    /// Unit of the residuals; empty without residuals.
    public var residualUnit: String
    /// Predicted heading error after the fit: its root mean square over all directions. Unit: radians.
    public var predictedHeadingError: Double?
    /// Predicted tilt error after the fit: its root mean square over all directions. Unit: radians.
    public var predictedTiltError: Double?
    /// Number of resting poses that were used; nil for kinds that need none.
    public var poses: Int?
    /// Fraction of the directions that were covered, 0…1.
    public var coverage: Double?
    /// Noise of each axis; empty for other kinds of calibration.
    public var noise: [AxisNoise] = []
    /// Temperature of the sensor. Unit: degrees Celsius.
    public var temperature: Double?
    package var samples = 0
    /// Duration of the samples that were used. Unit: seconds.
    public var seconds = 0.0
    /// Mount matrix for which the parameters are valid, row by row, from sensor axes to body axes; nil if unknown.
    public var mountMatrix: [Double]?
    /// Sign of the sensor for which the parameters are valid; 1 in records of versions that had no such setting.
    public var sign = 1

    /// Rotation of the magnetometer's axes that is missing from its mount matrix, so that the correction contains it;
    /// row by row. It is the identity if the axes agreed with those of the inertial sensors, and nil if they were not
    /// compared.
    public var turn: [Double]?
    /// Mount matrix of the accelerometer at the time of the calibration, row by row; nil if unknown or without `turn`.
    public var accelerometerMount: [Double]?

    /// Makes a record without a result; the caller sets the other properties.
    public init(time: Double, origin: Origin, kind: CalibrationKind, residualUnit: String = "") {
        self.time = time
        self.origin = origin
        self.kind = kind
        self.residualUnit = residualUnit
    }

    /// Makes the record of one fit of a calibration result, or of its noise if `fit` is nil.
    public init(
        _ fit: SensorFit?, of result: CalibrationResult, time: Double, origin: Origin, version: String,
        mount: SensorMount?, isOfCounts: Bool = false
    ) {
        self.init(time: time, origin: origin, kind: result.kind, residualUnit: result.residualUnit)
        self.version = version
        self.fit = fit
        self.isOfCounts = isOfCounts
        self.mount = mount
        if fit?.sensor == .magnetometer { turn = result.axes?.comparedTurn?.elements }
        // Residuals belong to the calibrated sensor; an additional fit of another sensor has no residuals.
        if fit.map({ CalibratedSensor($0.sensor) == CalibratedSensor(result.kind) }) ?? true {
            residualRMS = result.residualRMS
            residualRMSBefore = result.residualRMSBefore
            predictedHeadingError = result.predictedHeadingError
            predictedTiltError = result.predictedTiltError
        } else {
            residualUnit = ""
        }
        poses = result.poses
        coverage = result.coverage?.fraction
        noise = fit == nil ? result.noise : []
        temperature = result.temperature
        samples = result.samples
        seconds = result.seconds
    }

    /// Calibration as the estimator applies it; nil for noise.
    public func calibration(at time: BootTime) -> SensorCalibration? {
        guard let fit else { return nil }
        return SensorCalibration(
            time: time, sensor: fit.sensor, correction: fit.correction, bias: fit.bias,
            biasStandardDeviation: fit.correction.turnedStandardDeviation(fit.biasStandardDeviation))
    }
}
