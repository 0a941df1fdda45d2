import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Places on the border of hints by their way along it: clockwise from the upper left corner, in half the display's height.
extension DisplayBorder {
    var perimeter: Double { 4 * (inner.x + inner.y) }

    /// Of a point on the border. In [0, perimeter).
    func arc(u: Double, v: Double) -> Double {
        let (x, y) = (u * aspect, v)
        let arc: Double
        // The side that the point is nearest to: on the border that is its own, up to rounding.
        if inner.x - x.magnitude <= inner.y - y.magnitude {
            arc = x > 0 ? 2 * inner.x + inner.y + y : 4 * inner.x + 3 * inner.y - y
        } else {
            arc = y < 0 ? inner.x + x : 3 * inner.x + 2 * inner.y - x
        }
        return wrapped(arc)
    }

    /// The point at any arc, however often around.
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

    /// From one arc to another by the shorter way, clockwise positive: in [−perimeter/2, perimeter/2].
    func way(from: Double, to: Double) -> Double { remainder(to - from, perimeter) }

    private func wrapped(_ arc: Double) -> Double {
        let rest = fmod(arc, perimeter)
        let positive = rest < 0 ? rest + perimeter : rest
        // A negative number next to 0 rounds up to the perimeter.
        return positive < perimeter ? positive : 0
    }
}
