import Geometry
import Measurements

extension CalibrationResult {
    /// This result with the gyroscope parameters it could not determine taken from the present calibration.
    ///
    /// A rest determines the bias alone; poses in a hand determine scale and axes, but the bias worse than a rest.
    ///
    /// - Parameter present: stored fits of the sensors.
    public func completed(with present: [SensorFit]) -> CalibrationResult {
        var completed = self
        for (index, fit) in fits.enumerated() where fit.sensor == .gyroscope {
            guard let known = present.first(where: { $0.sensor == fit.sensor }) else { continue }
            if kind == .gyroscope {
                completed.fits[index].correction = known.correction
                completed.fits[index].correctionDeviation = known.correctionDeviation
            } else {
                completed.fits[index] = fit.keeping(betterOf: known)
            }
        }
        return completed
    }
}

extension SensorFit {
    /// This fit with bias and correction, each from the clearly more precise of the two fits unless they contradict
    /// each other.
    fileprivate func keeping(betterOf known: SensorFit) -> SensorFit {
        var fit = self
        if Self.keeps((bias - known.bias).norm, biasDeviation.norm, known.biasDeviation.norm) {
            (fit.bias, fit.biasDeviation) = (known.bias, known.biasDeviation)
        }
        if Self.keeps(
            (correction - known.correction).norm, correctionDeviation.norm, known.correctionDeviation.norm)
        {
            (fit.correction, fit.correctionDeviation) = (known.correction, known.correctionDeviation)
        }
        return fit
    }

    /// Whether a stored value is kept.
    ///
    /// - Parameters:
    ///   - difference: norm of the difference between new and stored value.
    ///   - deviation: standard deviation of the new value.
    ///   - known: standard deviation of the stored value; zero if unknown.
    private static func keeps(_ difference: Double, _ deviation: Double, _ known: Double) -> Bool {
        let both = (deviation * deviation + known * known).squareRoot()
        return known > 0 && deviation > CalibrationComparison.equalErrorRatio * known
            && difference <= CalibrationComparison.contradictionDeviations * both
    }
}
