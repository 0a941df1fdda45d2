import Geometry

/// One of several positions at which the wearer may be.
public struct PositionGuess: Hashable, Sendable {
    package var position: GeodeticPosition
    /// Probability of the position. The probabilities of all guesses add up to 1.
    public var probability: Double
    /// Standard deviation along each axis. Unit: metres.
    public var standardDeviation: Double

    package init(position: GeodeticPosition, probability: Double, standardDeviation: Double) {
        self.position = position
        self.probability = probability
        self.standardDeviation = standardDeviation
    }
}
