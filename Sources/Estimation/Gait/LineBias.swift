/// Angle between the direction of walking and the line along which the trunk swings. It is constant while the gait
/// stays the same, and is learned while satellites show the direction of walking.
package struct LineBias: Sendable {
    private var sum = 0.0
    private var weight = 0.0

    package init() {}

    /// Standard deviation before any observation. Unit: radians. Origin: telephones held ahead on recorded walks.
    private static let startDeviation = 0.3
    /// Variance of one comparison. Unit: rad².
    private static let variance = 0.02
    /// Number of successive steps whose errors are equal.
    private static let steps = 5.0
    /// Share of the sums that is kept at each step, to follow a gait that changes.
    private static let fading = 0.99

    /// Adds a comparison.
    ///
    /// - Parameter angle: azimuth of the line less that of walking, clockwise. Unit: radians.
    mutating func add(_ angle: Double) {
        sum = sum * Self.fading + angle
        weight = weight * Self.fading + 1
    }

    private var information: Double {
        1 / (Self.startDeviation * Self.startDeviation) + weight / (Self.variance * Self.steps)
    }

    /// Azimuth of the line less that of walking, clockwise. Unit: radians.
    package var angle: Double { sum / (Self.variance * Self.steps) / information }

    /// Standard deviation of the angle. Unit: radians.
    package var deviation: Double { (1 / information).squareRoot() }
}
