import Geometry

/// Axes of the body in ENU, integrated over a time, or their mean: shorter than 1 the more the board swings.
package struct BoardAxes: Sendable {
    /// Frame: ENU.
    package var x = Vector3.zero
    package var y = Vector3.zero
    package var z = Vector3.zero

    package init() {}

    /// Adds the axes for an interval.
    @inline(__always)
    mutating func add(_ rotationENUFromBody: Matrix<3, 3>, over interval: Double) {
        let r = rotationENUFromBody
        x += Vector3(r[0, 0], r[1, 0], r[2, 0]) * interval
        y += Vector3(r[0, 1], r[1, 1], r[2, 1]) * interval
        z += Vector3(r[0, 2], r[1, 2], r[2, 2]) * interval
    }

    static func += (a: inout BoardAxes, b: BoardAxes) {
        a.x += b.x
        a.y += b.y
        a.z += b.z
    }

    static func -= (a: inout BoardAxes, b: BoardAxes) {
        a.x -= b.x
        a.y -= b.y
        a.z -= b.z
    }

    static func / (axes: BoardAxes, divisor: Double) -> BoardAxes {
        var result = axes
        result.x = axes.x / divisor
        result.y = axes.y / divisor
        result.z = axes.z / divisor
        return result
    }

    /// Direction in ENU of a vector of the body.
    package func direction(of vector: Vector3) -> Vector3 { x * vector.x + y * vector.y + z * vector.z }

    /// Vertical. Frame: body.
    package var up: Vector3 { Vector3(x.z, y.z, z.z) }
}
