import Geometry

/// One of several positions that the wearer may be at.
public struct PositionGuess: Hashable, Sendable {
    /// Where the wearer may be.
    public var position: GeodeticPosition
    /// How probable it is; those of all guesses add up to 1.
    public var probability: Double
    /// Standard deviation per axis. Unit: metres.
    public var standardDeviation: Double

    /// Makes a guess.
    public init(position: GeodeticPosition, probability: Double, standardDeviation: Double) {
        self.position = position
        self.probability = probability
        self.standardDeviation = standardDeviation
    }
}
