import Geometry

/// Track that is computed from the steps alone, by adding each step along the direction of walking. No fix and no
/// magnetometer corrects it. It is in the gyro frame, a horizontal frame whose yaw is integrated from the gyroscope.
///
/// The wearer is assumed to look ahead. The direction of walking is along the line in which the gait swings, towards
/// the end that is closer to the board's forward direction. If that line is unclear, the direction of walking is the
/// board's forward direction.
public struct WalkedTrack: Hashable, Sendable, Codable {
    /// Position, with Y = 0. Frame: gyro frame with scene axes, whose X and Z are rotated by `yaw` relative to east and
    /// south. Unit: metres.
    public private(set) var position = Vector3.zero
    /// Standard deviation of the direction error that all steps share. Unit: radians.
    public private(set) var standardDeviation = 0.0
    /// Standard deviation of the error that all steps share in the line along which the gait swings. Only the board's
    /// orientation shows which end of the line is forward. Unit: radians.
    package private(set) var lineStandardDeviation = Double.pi / 2
    /// Number of the track. It increases with each new gyro frame.
    public private(set) var number: UInt32 = 0
    /// Counter-clockwise rotation from the gyro frame to ENU according to the filter; nil while the heading is unknown.
    /// Unit: radians.
    public package(set) var yaw: Double?

    package init() {}

    /// Weight of a step in the mean standard deviations.
    private static let share = 0.1

    /// - Parameters:
    ///   - step: horizontal displacement. Frame: gyro frame, x and y. Unit: metres.
    ///   - new: standard deviation of the step's direction. Unit: radians.
    ///   - line: standard deviation of the line along which the gait swings; nil if the gait shows no line. Unit:
    ///     radians.
    package mutating func add(_ step: Vector3, standardDeviation new: Double, line: Double?) {
        position += Vector3(step.x, 0, -step.y)
        standardDeviation += (standardDeviation == 0 ? 1 : Self.share) * (new - standardDeviation)
        lineStandardDeviation += Self.share * (min(.pi / 2, line ?? .pi / 2) - lineStandardDeviation)
    }

    /// Starts a new track, because this one no longer contains the whole motion of the wearer.
    package mutating func interrupt() {
        if position != .zero { restart() }
    }

    /// Begins a new track, which is unconnected to the previous one.
    ///
    /// - Parameter other: number of another track that this one replaces.
    package mutating func restart(after other: UInt32 = 0) {
        position = .zero
        number = max(number, other) &+ 1
    }
}
