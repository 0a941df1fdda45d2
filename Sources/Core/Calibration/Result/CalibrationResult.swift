import Geometry
import Model

/// Outcome of a calibration: verdict, fitted parameters, residuals and predicted errors.
public struct CalibrationResult: Hashable, Sendable {
    package var kind: CalibrationKind
    package var verdict: CalibrationVerdict
    /// Fitted parameters, one entry for each sensor; empty if nothing could be fitted.
    package var fits: [SensorFit] = []
    /// RMS of the residuals: of |f| over the poses, of |m| over the samples, or of the rate at rest. Unit:
    /// `residualUnit`.
    package var residualRMS: Double?
    /// RMS of the same residuals with the calibration that was active before this one.
    package var residualRMSBefore: Double?
    /// Unit of the residuals: `m/s²`, `rad/s`, `counts`, `µT`, `rad`, or `1` for fractions of the field.
    package var residualUnit: String
    /// Predicted error of the heading after the fit, RMS over directions. Unit: radians.
    package var predictedHeadingError: Double?
    /// Predicted error of the tilt after the fit, RMS over directions. Unit: radians.
    package var predictedTiltError: Double?
    /// Number of still poses that were used, for kinds with poses.
    package var poses: Int?
    /// Covered directions, for kinds that need the whole sphere.
    package var coverage: SphereCoverage?
    /// Finding about axes or sign of a sensor; nil if it is unknown.
    package var axes: AxisFinding?
    /// Noise by axis: gyroscope x, y, z, then accelerometer x, y, z.
    package var noise: [AxisNoise] = []
    /// Temperature of the sensor during the calibration; nil if unknown. Unit: degrees Celsius.
    package var temperature: Double?
    /// Number of samples of the calibrated sensor.
    package var samples = 0
    /// Time covered by the samples. Unit: seconds.
    package var seconds = 0.0

    /// Makes a result without fits and figures. The other properties are set afterwards.
    package init(kind: CalibrationKind, verdict: CalibrationVerdict, residualUnit: String) {
        self.kind = kind
        self.verdict = verdict
        self.residualUnit = residualUnit
    }
}

/// The fitted parameters of one sensor: `true = correction · (measured − bias)`.
public struct SensorFit: Hashable, Sendable {
    /// Calibrated sensor. It is `.mount` for the rotation from board to body.
    package var sensor: SensorCalibration.Sensor
    /// Matrix from measured units to rad/s, m/s² or microtesla, or to fields of strength 1.
    package var correction: Matrix<3, 3>
    /// Bias, which is the hard iron for the magnetometer. Measured units.
    package var bias: Vector3
    /// Standard deviations of the elements of `correction`; zero where an element is fixed.
    package var correctionStandardDeviation: Matrix<3, 3>
    /// Standard deviation of the bias, per axis. Measured units.
    package var biasStandardDeviation: Vector3

    /// Parameters of one sensor; by default the identity with an unknown uncertainty.
    package init(
        sensor: SensorCalibration.Sensor, correction: Matrix<3, 3> = .identity, bias: Vector3 = .zero,
        correctionStandardDeviation: Matrix<3, 3> = Matrix(), biasStandardDeviation: Vector3 = .zero
    ) {
        self.sensor = sensor
        self.correction = correction
        self.bias = bias
        self.correctionStandardDeviation = correctionStandardDeviation
        self.biasStandardDeviation = biasStandardDeviation
    }
}

extension CalibrationResult {
    /// This result, completed by gyroscope parameters of the active calibration that it could not determine itself.
    ///
    /// A rest determines only the bias. Poses held by hand determine scale and axes, but the bias less precisely than a
    /// rest.
    ///
    /// - Parameter present: stored fits of the sensors.
    package func completed(with present: [SensorFit]) -> CalibrationResult {
        var completed = self
        for (index, fit) in fits.enumerated() where fit.sensor == .gyroscope {
            guard let known = present.first(where: { $0.sensor == fit.sensor }) else { continue }
            if kind == .gyroscope {
                completed.fits[index].correction = known.correction
                completed.fits[index].correctionStandardDeviation = known.correctionStandardDeviation
            } else {
                completed.fits[index] = fit.keeping(betterOf: known)
            }
        }
        return completed
    }
}

extension SensorFit {
    /// This fit, in which the stored fit's bias or correction replaces the new one if it is clearly more precise and
    /// does not contradict it.
    fileprivate func keeping(betterOf known: SensorFit) -> SensorFit {
        var fit = self
        if Self.keeps((bias - known.bias).norm, biasStandardDeviation.norm, known.biasStandardDeviation.norm) {
            (fit.bias, fit.biasStandardDeviation) = (known.bias, known.biasStandardDeviation)
        }
        if Self.keeps(
            (correction - known.correction).norm, correctionStandardDeviation.norm,
            known.correctionStandardDeviation.norm)
        {
            (fit.correction, fit.correctionStandardDeviation) = (known.correction, known.correctionStandardDeviation)
        }
        return fit
    }

    /// Whether the stored value is kept.
    ///
    /// - Parameters:
    ///   - difference: norm of the difference between new and stored value.
    ///   - standardDeviation: standard deviation of the new value.
    ///   - known: standard deviation of the stored value; zero if unknown.
    private static func keeps(_ difference: Double, _ standardDeviation: Double, _ known: Double) -> Bool {
        let both = (standardDeviation * standardDeviation + known * known).squareRoot()
        return known > 0 && standardDeviation > CalibrationComparison.equalErrorRatio * known
            && difference <= CalibrationComparison.contradictionStandardDeviations * both
    }
}
