import Geometry

/// Closed rings in the plane. The first point is not repeated at the end. Unit: metres.
public enum PlanRing {
    /// Whether a point is inside a ring. From inside, a ray to the east crosses the border an odd number of times. On
    /// the border, the result may be either.
    public static func contains(_ point: Vector2, in ring: [Vector2]) -> Bool {
        guard var previous = ring.last else { return false }
        var isInside = false
        for vertex in ring {
            if (vertex.y > point.y) != (previous.y > point.y) {
                let share = (point.y - vertex.y) / (previous.y - vertex.y)
                if point.x < vertex.x + share * (previous.x - vertex.x) { isInside.toggle() }
            }
            previous = vertex
        }
        return isInside
    }

    /// Returns the enclosed area. Unit: square metres.
    public static func area(of ring: [Vector2]) -> Double {
        guard let first = ring.first, var previous = ring.last else { return 0 }
        var sum = 0.0
        for vertex in ring {
            sum += (previous - first).cross(vertex - first)
            previous = vertex
        }
        return sum.magnitude / 2
    }
}
