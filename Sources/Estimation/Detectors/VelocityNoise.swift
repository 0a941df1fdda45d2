/// White noise of the receiver's velocities, estimated from the innovations.
///
/// Innovations have variance because the state is uncertain and because the receiver is noisy: the noise is what the
/// state does not explain. Many receivers smooth their velocities and are less noisy than they report, as the setting
/// assumes; those of a receiver that does not smooth count less once its noise has been seen. The noise never falls
/// below the setting: a receiver that reports zero velocity at rest would seem perfect.
package struct VelocityNoise: Hashable, Sendable {
    /// Mean square of the noise beyond the setting's, in parts of the reported variance.
    private var excess = 0.0

    /// Number of fixes over which the mean is taken.
    private static let memory = 40.0
    /// Value that the mean reaches by chance.
    private static let chance = 0.1
    /// Largest multiple of its expectation that an innovation counts, against outliers.
    private static let largestSquare = 9.0
    /// Largest share, in multiples of the setting.
    private static let largestFactor = 3.0

    package init() {}

    /// Adds an innovation before it is applied. While the state is less certain than the receiver it is not used.
    ///
    /// Equation: docs/filter.md (95).
    ///
    /// - Parameters:
    ///   - square: mean square of the horizontal components. Unit: (m/s)².
    ///   - predicted: variance of a component without the white noise. Unit: (m/s)².
    ///   - reported: the receiver's standard deviation of a component. Unit: m/s.
    ///   - usual: white share of it by the settings.
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
