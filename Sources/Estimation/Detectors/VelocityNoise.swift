/// The white noise of the receiver's velocities, learned from the innovations.
///
/// Innovations vary because the state is uncertain and because the receiver is noisy: the noise is what the state does not
/// explain. Many receivers smooth their velocities and are less noisy than they report, as the setting assumes. A receiver
/// that does not smooth is noisier, and its velocities count less once that is seen. The noise never falls below the setting:
/// a receiver that reports zero velocity while the wearer stands would seem perfect.
package struct VelocityNoise: Hashable, Sendable {
    /// Mean square of the noise beyond the setting's, in parts of the reported deviation.
    private var excess = 0.0

    /// How far the mean reaches back. Unit: fixes.
    private static let memory = 40.0
    /// The mean may exceed zero by this much by chance.
    private static let chance = 0.1
    /// An innovation counts at most this many times its expectation: an outlier is no rule.
    private static let largestSquare = 9.0
    /// Largest share that is learned, in parts of the setting.
    private static let largestFactor = 3.0

    package init() {}

    /// Takes an innovation before it is applied. Where the state is less certain than the receiver it teaches nothing.
    ///
    /// Equation: docs/filter.md (95).
    ///
    /// - Parameters:
    ///   - square: mean square of the horizontal components. Unit: (m/s)².
    ///   - predicted: variance of a component without the white noise. Unit: (m/s)².
    ///   - reported: the receiver's standard deviation of a component. Unit: m/s.
    ///   - usual: share of it that is white by the settings.
    package mutating func note(square: Double, predicted: Double, reported: Double, usual: Double) {
        let noise = share(usual: usual) * reported
        guard predicted < noise * noise else { return }
        let bounded = min(square, Self.largestSquare * (predicted + noise * noise))
        excess += ((bounded - predicted) / (reported * reported) - usual * usual - excess) / Self.memory
    }

    /// White part of the reported standard deviation.
    package func share(usual: Double) -> Double {
        min(Self.largestFactor * usual, (usual * usual + max(0, excess - Self.chance)).squareRoot())
    }
}
