import Geometry
import Glibc

/// Field of view of a subscriber's display: a pinhole camera in body axes, looking along −z.
public struct Camera: Hashable, Sendable {
    /// Horizontal field of view, radians in (0, π).
    public var horizontalFieldOfView: Double
    /// Aspect ratio: width divided by height.
    public var aspect: Double

    package init(horizontalFieldOfView: Double, aspect: Double) {
        self.horizontalFieldOfView = horizontalFieldOfView
        self.aspect = aspect
    }
}

/// Border of a display and the inner rectangle on which hints lie.
package struct DisplayBorder {
    /// Tangents of half the fields of view.
    private let tangent: (x: Double, y: Double)
    /// Half-width and half-height of the inner rectangle. Unit: half the display's height.
    let inner: (x: Double, y: Double)
    let aspect: Double

    /// - Parameter inset: distance of hints from the border, as a fraction of the display's height.
    package init(_ camera: Camera, inset: Double) {
        aspect = camera.aspect
        let across = tan(camera.horizontalFieldOfView / 2)
        tangent = (across, across / aspect)
        // The margin is in units of half the height. On a narrow display it leaves at least a tenth of the shorter
        // half-side.
        let margin = min(2 * max(0, inset), 0.9 * min(1, aspect))
        inner = (aspect - margin, 1 - margin)
    }

    /// Whether a direction is on the display, or on its inner rectangle. Frame: body.
    func shows(_ direction: Vector3, withinInner: Bool) -> Bool {
        guard direction.z < 0 else { return false }
        let share = withinInner ? (x: inner.x / aspect, y: inner.y) : (x: 1, y: 1)
        return direction.x.magnitude <= -direction.z * tangent.x * share.x
            && direction.y.magnitude <= -direction.z * tangent.y * share.y
    }

    var bottom: (u: Double, v: Double) { (0, inner.y) }

    /// Returns the point on the inner rectangle in the direction of the shortest turn. Frame: body.
    ///
    /// The great circle from the line of sight to d leaves towards `(d_x, d_y)`, both for directions ahead and for
    /// those behind. A perspective projection would divide by −d_z and point away from objects behind.
    func point(towards direction: Vector3) -> (u: Double, v: Double) {
        let length = hypot(direction.x, direction.y)
        guard length > 0 else { return bottom }
        let (right, down) = (direction.x / length, -direction.y / length)
        let reach = min(inner.x / right.magnitude, inner.y / down.magnitude)
        return (right * reach / aspect, down * reach)
    }
}

/// Arc length along the border on which hints lie, clockwise from the upper left corner. Unit: half the display's
/// height.
extension DisplayBorder {
    var perimeter: Double { 4 * (inner.x + inner.y) }

    /// Returns the arc of a point on the border, in [0, perimeter).
    func arc(u: Double, v: Double) -> Double {
        let (x, y) = (u * aspect, v)
        let arc: Double
        // Takes the side that is nearest to the point, because rounding may have put the point slightly off the border.
        if inner.x - x.magnitude <= inner.y - y.magnitude {
            arc = x > 0 ? 2 * inner.x + inner.y + y : 4 * inner.x + 3 * inner.y - y
        } else {
            arc = y < 0 ? inner.x + x : 3 * inner.x + 2 * inner.y - x
        }
        return wrapped(arc)
    }

    /// Returns the point at an arc. Arcs are periodic.
    func point(at arc: Double) -> (u: Double, v: Double) {
        let along = wrapped(arc)
        let (width, height) = (2 * inner.x, 2 * inner.y)
        let (x, y) =
            if along < width {
                (along - inner.x, -inner.y)
            } else if along < width + height {
                (inner.x, along - width - inner.y)
            } else if along < 2 * width + height {
                (inner.x - (along - width - height), inner.y)
            } else {
                (-inner.x, inner.y - (along - 2 * width - height))
            }
        return (x / aspect, y)
    }

    /// Returns the shorter difference of two arcs, clockwise positive, in [−perimeter/2, perimeter/2].
    func distance(from: Double, to: Double) -> Double { remainder(to - from, perimeter) }

    /// Returns the clockwise distance between two arcs, in [0, perimeter].
    func clockwise(from: Double, to: Double) -> Double {
        let arc = distance(from: from, to: to)
        return arc < 0 ? arc + perimeter : arc
    }

    private func wrapped(_ arc: Double) -> Double {
        let rest = fmod(arc, perimeter)
        let positive = rest < 0 ? rest + perimeter : rest
        // A negative number close to 0 is rounded up to the perimeter itself.
        return positive < perimeter ? positive : 0
    }
}

/// Radar display: a disc of radius 1. The wearer is at its centre, and the heading points upwards.
public enum Radar {
    /// Returns the point `x = ρ·sin β′`, `y = ρ·cos β′`, where β′ is the bearing relative to the heading and `ρ =
    /// min(1, d/range)`. Placements beyond the range are on the rim.
    ///
    /// Units: bearing and heading in radians, clockwise from true north; distance and range in metres.
    public static func point(
        bearing: Double, heading: Double, distance: Double, range: Double
    ) -> (x: Double, y: Double) {
        guard distance > 0 else { return (0, 0) }
        let radius = distance < range ? distance / range : 1
        return (radius * sin(bearing - heading), radius * cos(bearing - heading))
    }
}
