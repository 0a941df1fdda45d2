/// Angle between the direction of walking and the line along which the trunk swings. It is constant while the gait stays the
/// same, and is learned while satellites show the direction of walking.
package struct LineBias: Sendable {
    private var sum = 0.0
    private var weight = 0.0

    package init() {}

    /// Standard deviation before anything is known of it. Unit: radians. Origin: telephones held ahead, recorded walks.
    private static let startDeviation = 0.3
    /// Variance of one comparison, and for how many in a row its error is the same. Units: rad², steps.
    private static let variance = 0.02
    private static let steps = 5.0
    /// Share that is kept at each step, so that it follows a gait that changes.
    private static let fading = 0.99

    /// - Parameter angle: from the direction of walking to that of the line, clockwise. Unit: radians.
    mutating func add(_ angle: Double) {
        sum = sum * Self.fading + angle
        weight = weight * Self.fading + 1
    }

    private var information: Double {
        1 / (Self.startDeviation * Self.startDeviation) + weight / (Self.variance * Self.steps)
    }

    /// Unit: radians, clockwise.
    package var angle: Double { sum / (Self.variance * Self.steps) / information }

    /// Unit: radians.
    package var deviation: Double { (1 / information).squareRoot() }
}
