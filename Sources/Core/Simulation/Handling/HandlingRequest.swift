import Geometry

/// Request of a calibration to the person who holds the board, as far as a simulation follows it.
public struct HandlingRequest: Hashable, Sendable {
    /// Handling that a calibration needs.
    public enum Kind: Hashable, Sendable {
        /// The board lies on a table.
        case rest
        /// It is held in one orientation after the other.
        case poses
        /// It is rotated through all directions.
        case turning
        /// It is worn on a stand and a straight walk.
        case walk
    }

    /// Handling that is needed.
    public var kind: Kind
    /// Whether the next pose, or the walk, is asked for.
    public var asksForNext: Bool
    /// Direction to turn up next, if one is named. Frame: the board's axes.
    public var up: Vector3?

    /// A request.
    public init(_ kind: Kind, asksForNext: Bool = false, up: Vector3? = nil) {
        self.kind = kind
        self.asksForNext = asksForNext
        self.up = up
    }
}
