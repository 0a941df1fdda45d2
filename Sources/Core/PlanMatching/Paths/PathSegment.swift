import Geometry

/// Straight part of a path. Frame: east and north on the plane of its network.
struct PathSegment: Sendable {
    /// Start point. Unit: metres.
    let start: Vector2
    /// Direction, a unit vector.
    let direction: Vector2
    /// Length of the segment. Unit: metres.
    let length: Double
    /// Ratio of the standard deviation of the line to `PathLine.usualDeviation`.
    let spread: Double

    /// Direction rotated by 90° counter-clockwise.
    var normal: Vector2 { Vector2(-direction.y, direction.x) }

    /// Returns the signed distance from a point to the line, positive in the direction of `normal`. Unit: metres.
    @inline(__always)
    func offset(from point: Vector2) -> Double { normal.dot(start - point) }

    /// Returns how far a point is beyond the nearer end; 0 beside the segment. Unit: metres.
    @inline(__always)
    func excess(of point: Vector2) -> Double {
        let along = direction.dot(point - start)
        return max(0, -along, along - length)
    }

    /// Returns the distance from a point to the segment. Unit: metres.
    @inline(__always)
    func distance(from point: Vector2) -> Double {
        let along = min(length, max(0, direction.dot(point - start)))
        return (start + along * direction - point).norm
    }
}
