import Geometry

/// Way of the steps whose direction is not known: how far off it may be, all of it together.
///
/// A direction that may be any is off by |2·sin(Δ/2)| of the way, with Δ even over the circle: 68 % of the errors are below
/// 1.75 of the way, which is so many radii of a Gaussian that is round. No state can hold such an error, for no line is near
/// a circle.
package struct UndirectedWay: Sendable {
    /// Frame: ENU, horizontal. Unit: metres.
    private var way = Vector3.zero

    package init() {}

    /// Standard deviation of each axis for each metre: 1.75 over the radius of 68 %.
    private static let share = 1.16
    /// What was walked farther than this is not turned any more: a late jump would be worse. Unit: metres.
    private static let longestTurned = 15.0

    /// - Returns: by how much the variance of each horizontal axis of the position grows. Unit: m².
    mutating func add(_ step: Vector3) -> Double {
        let before = way.squaredNorm
        way += step
        return Self.share * Self.share * max(0, way.squaredNorm - before)
    }

    /// Turns it.
    ///
    /// - Returns: the displacement by which its end moves. Frame: ENU. Unit: metres.
    mutating func turn(by turn: LevelTurn) -> Vector3 {
        guard way.norm < Self.longestTurned else { return .zero }
        let turned = turn * way
        defer { way = turned }
        return turned - way
    }

    mutating func turn(by turn: Rotation3) { way = turn * way }
}
