import Geometry
import Glibc

/// Circle on the earth, with its bounding boxes, and distances from its center.
package struct SearchCircle {
    /// Bounds, inclusive. Unit: degrees.
    package struct Box: Equatable {
        let south, north, west, east: Double
    }

    /// Radius. Unit: metres.
    package let radius: Double
    private let latitude: Double
    private let longitude: Double
    private let cosine: Double
    /// Half-height of the bounding box. Unit: degrees.
    private let latitudeReach: Double
    /// Radii of curvature at the center, along the meridian and across it. Unit: metres.
    private let radii: (along: Double, across: Double)

    /// Smallest radius of curvature of WGS84, along the meridian at the equator, so that no box is too small. Unit:
    /// metres.
    private static let minimumRadius = 6_335_439.0

    package init(center: GeodeticPosition, radius: Double) {
        self.radius = radius
        latitude = center.latitudeDegrees
        longitude = normalizedLongitude(center.longitudeDegrees)
        cosine = cosineOfDegrees(latitude)
        latitudeReach = min(radius / Self.minimumRadius * 180 / .pi, 180)
        let radians = latitude * .pi / 180
        radii = (Ellipsoid.meridianRadius(latitude: radians), Ellipsoid.primeVerticalRadius(latitude: radians))
    }

    /// Bounding box, or two if the circle crosses the antimeridian.
    package var boxes: [Box] {
        let (south, north) = (latitude - latitudeReach, latitude + latitudeReach)
        guard let longitudeReach else { return [box(south, north, -180, 180)] }
        let (west, east) = (longitude - longitudeReach, longitude + longitudeReach)
        if west < -180 { return [box(south, north, -180, east), box(south, north, west + 360, 180)] }
        if east > 180 { return [box(south, north, west, 180), box(south, north, -180, east - 360)] }
        return [box(south, north, west, east)]
    }

    /// Half-width of the bounding box in degrees; nil for a circle that contains a pole or a whole parallel.
    private var longitudeReach: Double? {
        guard latitude.magnitude + latitudeReach < 90 else { return nil }
        let sine = sin(latitudeReach * .pi / 180) / cosine
        guard sine < 1 else { return nil }
        return asin(sine) * 180 / .pi
    }

    private func box(_ south: Double, _ north: Double, _ west: Double, _ east: Double) -> Box {
        Box(
            south: max(south - Self.margin, -90), north: min(north + Self.margin, 90), west: west - Self.margin,
            east: east + Self.margin)
    }

    /// Margin of a box, to allow for rounding. Unit: degrees.
    private static let margin = 1e-7

    /// Returns the distance from the center. It is exact to 1 cm within a kilometre and to 1 % anywhere, which is
    /// enough for selection but not for display. Unit: metres.
    package func distance(latitudeDegrees: Double, longitudeDegrees: Double) -> Double {
        let toRadians = Double.pi / 180
        let north = 2 * radii.along * sin((latitudeDegrees - latitude) * toRadians / 2)
        let parallels = (cosine * cos(latitudeDegrees * toRadians)).magnitude.squareRoot()
        let east = 2 * radii.across * parallels * sin((longitudeDegrees - longitude) * toRadians / 2)
        let chord = (north * north + east * east).squareRoot()
        return 2 * radii.across * asin(min(chord / (2 * radii.across), 1))
    }
}

/// Returns the longitude in (−180, 180].
package func normalizedLongitude(_ degrees: Double) -> Double {
    let wrapped = degrees.truncatingRemainder(dividingBy: 360)
    return wrapped > 180 ? wrapped - 360 : wrapped <= -180 ? wrapped + 360 : wrapped
}

package func cosineOfDegrees(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
