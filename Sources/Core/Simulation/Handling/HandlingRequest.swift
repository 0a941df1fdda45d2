import Geometry

/// What a calibration requests of the person who holds the board, reduced to what a simulation follows.
public struct HandlingRequest: Hashable, Sendable {
    /// How a calibration needs the board to be handled.
    public enum Kind: Hashable, Sendable {
        /// The board lies on a table.
        case rest
        /// The board is held in one orientation after another.
        case poses
        /// The board is rotated through all directions.
        case turning
        /// The board is worn while the wearer stands, then walks straight.
        case walk
    }

    package var kind: Kind
    /// Whether the next pose, or the walk, is requested.
    public var asksForNext: Bool
    /// Direction to turn up next, if the calibration names one. Frame: the board's axes.
    public var up: Vector3?

    package init(_ kind: Kind, asksForNext: Bool = false, up: Vector3? = nil) {
        self.kind = kind
        self.asksForNext = asksForNext
        self.up = up
    }
}
