import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Arc length along the border of hints: clockwise from the upper left corner, in units of half the display's height.
extension DisplayBorder {
    var perimeter: Double { 4 * (inner.x + inner.y) }

    /// Arc of a point on the border, in [0, perimeter).
    func arc(u: Double, v: Double) -> Double {
        let (x, y) = (u * aspect, v)
        let arc: Double
        // The side nearest to the point, which is on the border up to rounding.
        if inner.x - x.magnitude <= inner.y - y.magnitude {
            arc = x > 0 ? 2 * inner.x + inner.y + y : 4 * inner.x + 3 * inner.y - y
        } else {
            arc = y < 0 ? inner.x + x : 3 * inner.x + 2 * inner.y - x
        }
        return wrapped(arc)
    }

    /// Point at an arc; arcs are periodic.
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

    /// Difference of two arcs the shorter way, clockwise positive, in [−perimeter/2, perimeter/2].
    func way(from: Double, to: Double) -> Double { remainder(to - from, perimeter) }

    private func wrapped(_ arc: Double) -> Double {
        let rest = fmod(arc, perimeter)
        let positive = rest < 0 ? rest + perimeter : rest
        // A negative number next to 0 rounds up to the perimeter.
        return positive < perimeter ? positive : 0
    }
}
