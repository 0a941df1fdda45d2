extension AxisNoise {
    mutating func take(_ fit: NoiseFit) {
        quantisation = fit.coefficient(.quantisation)
        randomWalk = fit.coefficient(.randomWalk)
        biasInstability = fit.coefficient(.biasInstability)
        rateRandomWalk = fit.coefficient(.rateRandomWalk)
        rateRamp = fit.coefficient(.rateRamp)
        uncertainties.quantisation = fit.uncertainties[.quantisation]
        uncertainties.randomWalk = fit.uncertainties[.randomWalk]
        uncertainties.biasInstability = fit.uncertainties[.biasInstability]
        uncertainties.rateRandomWalk = fit.uncertainties[.rateRandomWalk]
        uncertainties.rateRamp = fit.uncertainties[.rateRamp]
    }

    /// Fitted Allan deviation at a cluster time; nil without a fit. Unit: the axis's.
    public func fitted(at tau: Double) -> Double? {
        let model = model
        let variance = model.allanVariance(tau)
        return variance > 0 ? variance.squareRoot() : nil
    }

    var model: NoiseModel {
        var model = NoiseModel()
        func square(_ value: Double?) -> Double { value.map { $0 * $0 } ?? 0 }
        model[.quantisation] = square(quantisation)
        model[.randomWalk] = square(randomWalk)
        model[.biasInstability] = square(biasInstability)
        model[.rateRandomWalk] = square(rateRandomWalk)
        model[.rateRamp] = square(rateRamp)
        return model
    }

    /// Point of the curve with the least deviation, and whether the curve rises again after it.
    public var least: (point: AllanPoint, isInside: Bool)? {
        guard let index = curve.indices.min(by: { curve[$0].deviation < curve[$1].deviation }) else { return nil }
        return (curve[index], index < curve.count - 1)
    }

    /// Measured Allan deviation at a cluster time, interpolated linearly in logarithms; nil outside of the curve.
    public func deviation(at tau: Double) -> Double? {
        guard let after = curve.firstIndex(where: { $0.tau >= tau * (1 - 1e-9) }) else { return nil }
        guard after > 0, curve[after].tau > tau * (1 + 1e-9) else {
            return after > 0 || curve[after].tau <= tau * (1 + 1e-9) ? curve[after].deviation : nil
        }
        let (low, high) = (curve[after - 1], curve[after])
        let share = (tau / low.tau).logarithm / (high.tau / low.tau).logarithm
        return (low.deviation.logarithm + share * (high.deviation / low.deviation).logarithm).exponential
    }
}
