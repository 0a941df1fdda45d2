import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Something labelled as it lies from the wearer, and how it will lie while the wearer walks straight on.
package struct LabelSight: Sendable {
    /// Clockwise from north of the scene, radians in [−π, π].
    private let azimuth: Double
    /// From the wearer. Unit: metres.
    private let east: Double
    private let north: Double

    /// Nearer than this the direction means nothing. Unit: metres.
    private static let leastDistance = 0.5

    package init(azimuth: Double, distance: Double) {
        self.azimuth = Angle.wrapped(azimuth)
        let distance = max(distance, Self.leastDistance)
        east = distance * sin(azimuth)
        north = distance * cos(azimuth)
    }

    /// Between the two directions, in [0, π].
    package func gap(to other: LabelSight) -> Double {
        let difference = (azimuth - other.azimuth).magnitude
        return min(difference, 2 * .pi - difference)
    }

    /// Seconds until the two directions are within `width` of each other; 0 when they are, infinite when they never will be.
    ///
    /// With a and b the two places from the wearer and v the velocity, a − vt and b − vt have the cross product
    /// `C(t) = a×b − t·v×(b − a)` and the dot product `P(t) = a·b − t·v·(a + b) + t²·v²`. They are within w < 90° where
    /// `P > 0` and `|C| ≤ P·tan w`; the first time solves one of two quadratic equations.
    package func seconds(untilWithin width: Double, of other: LabelSight, east v: Double, north w: Double) -> Double {
        guard gap(to: other) > width else { return 0 }
        let slope = tan(min(width, Self.widest))
        let cross = east * other.north - north * other.east
        let crossRate = v * (other.north - north) - w * (other.east - east)
        let dot = east * other.east + north * other.north
        let dotRate = v * (east + other.east) + w * (north + other.north)
        let square = v * v + w * w
        var first = Double.infinity
        for sign in [-1.0, 1] {
            // slope·P(t) = sign·C(t).
            let roots = Self.roots(slope * square, -slope * dotRate + sign * crossRate, slope * dot - sign * cross)
            for root in [roots.0, roots.1] where root > 0 && root < first {
                if dot - root * dotRate + root * root * square > 0 { first = root }
            }
        }
        return first
    }

    /// Of the width in this sum. Unit: radians.
    private static let widest = 80 * Double.pi / 180

    /// Of a·t² + b·t + c; what does not exist is infinite.
    private static func roots(_ a: Double, _ b: Double, _ c: Double) -> (Double, Double) {
        let discriminant = b * b - 4 * a * c
        guard discriminant >= 0 else { return (.infinity, .infinity) }
        // Without the difference of two nearly equal numbers.
        let q = -0.5 * (b + (b < 0 ? -1 : 1) * discriminant.squareRoot())
        return (a != 0 ? q / a : .infinity, q != 0 ? c / q : .infinity)
    }
}
