import Calibration
import Geometry
import Model

/// Stored calibration of one sensor: result, method, time and the mount matrix at that time.
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

    /// Time of the calibration by the system clock. Unit: seconds since 1970 UTC.
    public var time: Double
    /// Origin of the calibration.
    public var origin: Origin
    /// Kind of the calibration, which says what was calibrated.
    public var kind: CalibrationKind
    /// Description of the method; empty if the kind determines it.
    public var method = ""
    /// Version of the program that made it.
    public var version = ""
    /// Fitted parameters; nil for noise.
    public var fit: SensorFit?
    /// Whether the fit is in counts or another unit of a recording; it is never applied to a sensor then.
    public var isOfCounts = false
    /// Root mean square residual of the fit. Unit: `residualUnit`.
    public var residualRMS: Double?
    /// The same root mean square with the calibration that was active before. Unit: `residualUnit`.
    public var residualRMSBefore: Double?
    /// Unit of the residuals; empty without residuals.
    public var residualUnit: String
    /// Predicted error of the heading after the fit, root mean square over directions. Unit: radians.
    public var predictedHeadingError: Double?
    /// Predicted error of the tilt after the fit, root mean square over directions. Unit: radians.
    public var predictedTiltError: Double?
    /// Number of resting poses that were used; nil for kinds that need none.
    public var poses: Int?
    /// Share of the directions that were seen, 0…1.
    public var coverage: Double?
    /// Noise of each axis; empty for other kinds.
    public var noise: [AxisNoise] = []
    /// Temperature of the sensor. Unit: degrees Celsius.
    public var temperature: Double?
    /// Number of samples that were used.
    public var samples = 0
    /// Duration of the samples that were used. Unit: seconds.
    public var seconds = 0.0
    /// Mount matrix for which the parameters are valid, row by row, from sensor axes to body axes; nil if unknown.
    public var mountMatrix: [Double]?

    /// Rotation that a magnetometer's correction contains, row by row, because the mount matrix lacks it; nil without.
    public var turn: [Double]?
    /// Mount matrix of the accelerometer at that time, row by row; nil if unknown or without `turn`.
    public var accelerometerMount: [Double]?

    /// Makes a record without a result; the other members have to be set.
    public init(time: Double, origin: Origin, kind: CalibrationKind, residualUnit: String = "") {
        self.time = time
        self.origin = origin
        self.kind = kind
        self.residualUnit = residualUnit
    }

    /// Makes the record of one of a result's fits, or of its noise where `fit` is nil.
    public init(
        _ fit: SensorFit?, of result: CalibrationResult, time: Double, origin: Origin, version: String,
        mountMatrix: [Double]?, isOfCounts: Bool = false
    ) {
        self.init(time: time, origin: origin, kind: result.kind, residualUnit: result.residualUnit)
        self.version = version
        self.fit = fit
        self.isOfCounts = isOfCounts
        self.mountMatrix = mountMatrix
        if fit?.sensor == .magnetometer { turn = result.axes?.containedTurn?.elements }
        // Residuals are those of the calibrated sensor; a fit of another sensor, found on the way, has none.
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

    /// The same calibration for another mount of the sensor: with T = R'·Rᵀ, from the old body axes to the new ones,
    /// M' = T·M·Tᵀ and b' = T·b; the rotation of the whole board, from those axes on, is M·Tᵀ.
    ///
    /// A mount that has come to contain the rotation `turn` takes it over from the correction. The axes of the body stay
    /// then, and M' = M·Tᵀ.
    ///
    /// - Parameter accelerometer: present mount of the accelerometer, where known: a board that was rotated as a whole
    ///   takes nothing over.
    public func turned(to mount: [Double]?, accelerometer: [Double]? = nil) -> CalibrationRecord {
        guard let mount, let mountMatrix, mount != mountMatrix, let new = Matrix(elements: mount),
            let old = Matrix(elements: mountMatrix), var fit
        else { return self }
        let change = new * old.transpose
        var turned = self
        turned.mountMatrix = mount
        if let turn = turn.flatMap(Matrix.init(elements:)) {
            let isWhole = accelerometer != nil && accelerometerMount != nil && accelerometer != accelerometerMount
            turned.turn = (change * turn * change.transpose).rowElements
            if isWhole { turned.accelerometerMount = accelerometer }
            if !isWhole, (change - turn).norm < Self.sameRotation {
                // What follows brings the whole to the left again.
                fit.correction = change.transpose * fit.correction
                fit.correctionStandardDeviation = change.transpose.magnitudes * fit.correctionStandardDeviation
                (turned.turn, turned.accelerometerMount) = (nil, nil)
            }
        }
        if fit.sensor == .mount {
            fit.correction = fit.correction * change.transpose
        } else {
            fit.correction = change * fit.correction * change.transpose
            fit.correctionStandardDeviation = change.turnedStandardDeviations(fit.correctionStandardDeviation)
            fit.bias = change * fit.bias
            fit.biasStandardDeviation = change.turnedStandardDeviation(fit.biasStandardDeviation)
        }
        turned.fit = fit
        return turned
    }

    /// Largest difference of equal rotations as a Frobenius norm: databases of hardware write six or seven digits.
    private static let sameRotation = 1e-2
}

extension Matrix where Rows == 3, Columns == 3 {
    /// Matrix from nine elements, row by row; nil for another number.
    init?(elements: [Double]) {
        guard elements.count == 9 else { return nil }
        self.init(
            Vector3(elements[0], elements[1], elements[2]), Vector3(elements[3], elements[4], elements[5]),
            Vector3(elements[6], elements[7], elements[8]))
    }

    /// Standard deviations of `self · v` from those of the independent components of v.
    func turnedStandardDeviation(_ standardDeviation: Vector3) -> Vector3 {
        func row(_ i: Int) -> Double {
            Vector3(
                self[i, 0] * standardDeviation.x, self[i, 1] * standardDeviation.y, self[i, 2] * standardDeviation.z
            ).norm
        }
        return Vector3(row(0), row(1), row(2))
    }

    /// Standard deviations of `self · M · selfᵀ` from those of the independent elements of M.
    func turnedStandardDeviations(_ standardDeviations: Matrix<3, 3>) -> Matrix<3, 3> {
        var result = Matrix<3, 3>()
        for i in 0..<3 {
            for j in 0..<3 {
                var variance = 0.0
                for k in 0..<3 {
                    for l in 0..<3 {
                        let part = self[i, k] * standardDeviations[k, l] * self[j, l]
                        variance += part * part
                    }
                }
                result[i, j] = variance.squareRoot()
            }
        }
        return result
    }
}
