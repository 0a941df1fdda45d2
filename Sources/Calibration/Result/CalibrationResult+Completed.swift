import Geometry
import Model

extension CalibrationResult {
    /// The same with a gyroscope that keeps what it could not tell: a rest tells the bias alone, and poses in a hand tell scale
    /// and axes, but the bias worse than a rest.
    ///
    /// - Parameter present: what is kept of the sensors.
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
    /// Bias and correction, each of the one that knows it clearly better, as long as the other does not contradict it.
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

    /// - Parameters:
    ///   - known: deviation of what is kept; zero where nobody knows it.
    private static func keeps(_ difference: Double, _ deviation: Double, _ known: Double) -> Bool {
        let both = (deviation * deviation + known * known).squareRoot()
        return known > 0 && deviation > CalibrationComparison.honesty * known
            && difference <= CalibrationComparison.contradiction * both
    }
}
