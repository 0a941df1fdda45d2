import Glibc

/// Probabilities of the number of levels that a height difference may correspond to.
struct LevelSteps: Sendable {
    /// Probabilities of 1, 2, … levels.
    private let shares: InlineArray<8, Double>
    private let sign: Int

    /// Height of a storey. Unit: metres.
    private static let storey = 4.0
    /// Standard deviation of the logarithm of the height of a storey.
    private static let spread = 0.3

    /// - Parameter height: height difference, negative if downwards. Unit: metres.
    init(_ height: Double) {
        sign = height < 0 ? -1 : 1
        var (weights, sum) = (InlineArray<8, Double>(repeating: 0), 0.0)
        for index in weights.indices {
            let error = log(height.magnitude / (Double(index + 1) * Self.storey)) / Self.spread
            weights[index] = exp(-error * error / 2) + .leastNormalMagnitude
            sum += weights[index]
        }
        for index in weights.indices { weights[index] /= sum }
        shares = weights
    }

    /// Draws a number of levels, positive if upwards, with a random number from 0 to 1.
    func number(_ random: Double) -> Int {
        var rest = random
        for index in shares.indices {
            rest -= shares[index]
            if rest < 0 { return sign * (index + 1) }
        }
        return sign
    }
}
