import Geometry

/// Displacement by steps whose direction is unknown, and the position error that this causes.
///
/// If the error Δ of the direction is uniform over the circle, the position is off by |2·sin(Δ/2)| times the
/// displacement; 68 % of these errors are below 1.75 times. The variance is that of a circular Gaussian with the same
/// 68 % radius. An error state cannot represent such an error, because it is linear.
package struct UndirectedWay: Sendable {
    /// Displacement so far. Frame: ENU, horizontal. Unit: metres.
    private var way = Vector3.zero

    package init() {}

    /// Standard deviation per axis and metre: 1.75 over the radius of 68 %.
    private static let share = 1.16
    /// Displacement beyond which a direction found later no longer rotates it: the jump would be worse. Unit: metres.
    private static let longestTurned = 15.0

    /// Adds a step.
    ///
    /// - Returns: growth of the variance of the position, per horizontal axis. Unit: m².
    mutating func add(_ step: Vector3) -> Double {
        let before = way.squaredNorm
        way += step
        return Self.share * Self.share * max(0, way.squaredNorm - before)
    }

    /// Rotates the displacement.
    ///
    /// - Returns: the displacement by which its end moves. Frame: ENU. Unit: metres.
    mutating func turn(by turn: Rotation2) -> Vector3 {
        guard way.norm < Self.longestTurned else { return .zero }
        let turned = turn * way
        defer { way = turned }
        return turned - way
    }

    mutating func turn(by turn: Rotation3) { way = turn * way }
}
