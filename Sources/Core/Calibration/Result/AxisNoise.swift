/// Noise coefficients of one axis, from its Allan deviation. Units: the axis's unit (rad/s, m/s² or counts) times
/// powers of seconds.
///
/// A coefficient is nil if the record is too short to determine it. Source: IEEE Std 952, annex C.
public struct AxisNoise: Hashable, Sendable {
    /// Quantisation noise, Q. Unit: axis · s.
    package var quantisation: Double?
    /// Angle or velocity random walk, N. Unit: axis · √s.
    package var randomWalk: Double?
    /// Bias instability, B. The flat part of the curve is at 0.664·B. Unit: axis.
    package var biasInstability: Double?
    /// Rate random walk, K. Unit: axis / √s.
    package var rateRandomWalk: Double?
    /// Rate ramp, R: a drift at a constant rate, such as during warm-up. It masks the rate random walk. Unit: axis / s.
    package var rateRamp: Double?
    /// Relative standard deviations of the coefficients that are determined.
    package var uncertainties = Uncertainties()
    /// Points of the Allan deviation, in ascending order of cluster time.
    package var curve: [AllanPoint]

    /// Relative standard deviations of the coefficients; nil for each coefficient that is nil.
    package struct Uncertainties: Hashable, Sendable {
        package var quantisation: Double?
        package var randomWalk: Double?
        package var biasInstability: Double?
        package var rateRandomWalk: Double?
        package var rateRamp: Double?

        package init() {}
    }

    package init(
        randomWalk: Double? = nil, biasInstability: Double? = nil, rateRandomWalk: Double? = nil,
        curve: [AllanPoint] = []
    ) {
        self.randomWalk = randomWalk
        self.biasInstability = biasInstability
        self.rateRandomWalk = rateRandomWalk
        self.curve = curve
    }
}

/// One point of the Allan deviation.
package struct AllanPoint: Hashable, Sendable {
    /// Cluster time. Unit: seconds.
    package var tau: Double
    /// Allan deviation at `tau`. Unit: that of the axis.
    package var deviation: Double
    /// Relative standard deviation of `deviation`.
    package var uncertainty: Double

    package init(tau: Double, deviation: Double, uncertainty: Double) {
        self.tau = tau
        self.deviation = deviation
        self.uncertainty = uncertainty
    }
}

extension AxisNoise {
    /// Coefficients of the processes, with their uncertainties.
    private static var processes:
        [(
            term: NoiseModel.Term, coefficient: WritableKeyPath<AxisNoise, Double?>,
            uncertainty: WritableKeyPath<Uncertainties, Double?>
        )]
    {
        [
            (.quantisation, \.quantisation, \.quantisation), (.randomWalk, \.randomWalk, \.randomWalk),
            (.biasInstability, \.biasInstability, \.biasInstability),
            (.rateRandomWalk, \.rateRandomWalk, \.rateRandomWalk), (.rateRamp, \.rateRamp, \.rateRamp),
        ]
    }

    mutating func take(_ fit: NoiseFit) {
        for (term, coefficient, uncertainty) in Self.processes {
            self[keyPath: coefficient] = fit.coefficient(term)
            uncertainties[keyPath: uncertainty] = fit.uncertainties[term]
        }
    }

    /// Fitted Allan deviation at a cluster time; nil without a fit. Unit: that of the axis.
    package func fitted(at tau: Double) -> Double? {
        let variance = model.allanVariance(tau)
        return variance > 0 ? variance.squareRoot() : nil
    }

    var model: NoiseModel {
        var model = NoiseModel()
        for (term, coefficient, _) in Self.processes { model[term] = self[keyPath: coefficient].map { $0 * $0 } ?? 0 }
        return model
    }

    /// Point of the curve with the least deviation, and whether the curve rises again after that point.
    package var least: (point: AllanPoint, isInside: Bool)? {
        guard let index = curve.indices.min(by: { curve[$0].deviation < curve[$1].deviation }) else { return nil }
        return (curve[index], index < curve.count - 1)
    }

    /// Measured Allan deviation at a cluster time, interpolated linearly between logarithms; nil outside the curve.
    package func deviation(at tau: Double) -> Double? {
        guard let after = curve.firstIndex(where: { $0.tau >= tau * (1 - 1e-9) }) else { return nil }
        guard after > 0, curve[after].tau > tau * (1 + 1e-9) else {
            return after > 0 || curve[after].tau <= tau * (1 + 1e-9) ? curve[after].deviation : nil
        }
        let (low, high) = (curve[after - 1], curve[after])
        let share = (tau / low.tau).logarithm / (high.tau / low.tau).logarithm
        return (low.deviation.logarithm + share * (high.deviation / low.deviation).logarithm).exponential
    }
}
