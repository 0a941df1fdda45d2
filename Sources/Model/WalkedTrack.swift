import Geometry

/// The way that the steps alone make: each believed step's length along the direction of walking, in a level frame that
/// only the gyroscope turns. No fix and no magnetometer bends it.
///
/// Who walks is thought to look where he goes: the direction is that of the line that the gait shows, forwards by the
/// board, or where that is not clear the board's own forward direction.
public struct WalkedTrack: Hashable, Sendable {
    /// X and Z level by the scene's axes, turned by `yaw` against east and south; Y is 0. Unit: metres.
    public private(set) var position = Vector3.zero
    /// Standard deviation of the direction, common to all steps. Unit: radians.
    public private(set) var deviation = 0.0
    /// Standard deviation of the line along which the gait itself swings, common to all steps: which end of it is ahead is
    /// by the board, and nothing else. Unit: radians.
    package private(set) var lineDeviation = Double.pi / 2
    /// Another number is another level frame.
    public private(set) var number: UInt32 = 0
    /// From the level frame to ENU as the filter has it, counter-clockwise; nil while it knows none. Unit: radians.
    public package(set) var yaw: Double?

    package init() {}

    /// How quickly the deviation follows, a step.
    private static let share = 0.1

    /// - Parameters:
    ///   - step: horizontal. Frame: level, x and y. Unit: metres.
    ///   - new: standard deviation of its direction. Unit: radians.
    ///   - line: standard deviation of the gait's own line; nil where it shows none. Unit: radians.
    package mutating func add(_ step: Vector3, deviation new: Double, line: Double?) {
        position += Vector3(step.x, 0, -step.y)
        deviation += (deviation == 0 ? 1 : Self.share) * (new - deviation)
        lineDeviation += Self.share * (min(.pi / 2, line ?? .pi / 2) - lineDeviation)
    }

    /// The wearer went on in another way than by these steps.
    package mutating func interrupt() {
        if position != .zero { restart() }
    }

    /// Nothing connects what comes with what was.
    ///
    /// - Parameter other: number of a track that was in its place.
    package mutating func restart(after other: UInt32 = 0) {
        position = .zero
        number = max(number, other) &+ 1
    }
}
