import Geometry
import Glibc

/// Direction in which the wearer sees a labelled placement, and its change while the wearer walks straight on.
package struct LabelSight: Sendable {
    /// Azimuth, clockwise from the scene's north, in radians in [−π, π].
    private let azimuth: Double
    /// Position relative to the wearer. Unit: metres.
    private let east: Double
    private let north: Double

    /// Least distance of a placement. At smaller distances, the direction is undefined. Unit: metres.
    private static let minimumDistance = 0.5

    /// Makes a direction from an azimuth in radians, clockwise from the scene's north, and a horizontal distance in
    /// metres.
    package init(azimuth: Double, distance: Double) {
        self.azimuth = Angle.wrapped(azimuth)
        let distance = max(distance, Self.minimumDistance)
        east = distance * sin(azimuth)
        north = distance * cos(azimuth)
    }

    /// Returns the angle between the two directions, radians in [0, π].
    package func gap(to other: LabelSight) -> Double {
        let difference = (azimuth - other.azimuth).magnitude
        return min(difference, 2 * .pi - difference)
    }

    /// Returns the time until the two directions are within `width` of each other: 0 if they already are, infinite if
    /// they never will be. Unit: seconds.
    ///
    /// With a and b the two positions relative to the wearer and v the velocity, a − vt and b − vt have the cross
    /// product C and the dot product P
    ///
    ///     C(t) = a × b − t·(v × (b − a)),   P(t) = a·b − t·(v·(a + b)) + t²·v²
    ///
    /// The directions are within the width while |C(t)| ≤ tan(width)·P(t).
    package func seconds(untilWithin width: Double, of other: LabelSight, east v: Double, north w: Double) -> Double {
        guard gap(to: other) > width else { return 0 }
        let slope = tan(min(width, Self.maximumWidth))
        let cross = east * other.north - north * other.east
        let crossRate = v * (other.north - north) - w * (other.east - east)
        let dot = east * other.east + north * other.north
        let dotRate = v * (east + other.east) + w * (north + other.north)
        let square = v * v + w * w
        var first = Double.infinity
        for sign in [-1.0, 1] {
            // Solves slope·P(t) = sign·C(t).
            let roots = Self.roots(slope * square, -slope * dotRate + sign * crossRate, slope * dot - sign * cross)
            for root in [roots.0, roots.1] where root > 0 && root < first {
                if dot - root * dotRate + root * root * square > 0 { first = root }
            }
        }
        return first
    }

    /// Greatest width for which this formula is used. Unit: radians.
    private static let maximumWidth = 80 * Double.pi / 180

    /// Returns the real roots of a·t² + b·t + c; infinite if there are none.
    private static func roots(_ a: Double, _ b: Double, _ c: Double) -> (Double, Double) {
        let discriminant = b * b - 4 * a * c
        guard discriminant >= 0 else { return (.infinity, .infinity) }
        // This form avoids the difference of two nearly equal numbers.
        let q = -0.5 * (b + (b < 0 ? -1 : 1) * discriminant.squareRoot())
        return (a != 0 ? q / a : .infinity, q != 0 ? c / q : .infinity)
    }
}
