import Geodesy
import Glibc

/// A circle on the earth as the R*Tree is asked for it: boxes that hold it, in the tree's units, and distances from its
/// center.
package struct SearchCircle {
    /// Bounds in units of the tree, both ends in.
    package struct Box: Equatable {
        var south, north, west, east: Int64
    }

    /// Metres.
    package let radius: Double
    private let latitude: Double
    private let longitude: Double
    private let cosine: Double
    /// Degrees.
    private let latitudeReach: Double
    /// Radii of curvature at the center, along the meridian and across it. Unit: metres.
    private let radii: (along: Double, across: Double)

    /// WGS84's smallest radius of curvature, along the meridian at the equator: with it no box comes out too small. Unit:
    /// metres.
    private static let smallestRadius = 6_335_439.0

    package init(center: GeodeticPosition, radius: Double) {
        self.radius = radius
        latitude = center.latitudeDegrees
        longitude = normalizedLongitude(center.longitudeDegrees)
        cosine = cosineOfDegrees(latitude)
        latitudeReach = min(radius / Self.smallestRadius * 180 / .pi, 180)
        let radians = latitude * .pi / 180
        radii = (Ellipsoid.meridianRadius(latitude: radians), Ellipsoid.primeVerticalRadius(latitude: radians))
    }

    /// Bounding box, or two where the circle crosses the antimeridian.
    package var boxes: [Box] {
        let (south, north) = (latitude - latitudeReach, latitude + latitudeReach)
        guard let longitudeReach else { return [box(south, north, -180, 180)] }
        let (west, east) = (longitude - longitudeReach, longitude + longitudeReach)
        if west < -180 { return [box(south, north, -180, east), box(south, north, west + 360, 180)] }
        if east > 180 { return [box(south, north, west, 180), box(south, north, -180, east - 360)] }
        return [box(south, north, west, east)]
    }

    /// Degrees to both sides; nil for a circle that a pole or the whole parallel lies in.
    private var longitudeReach: Double? {
        guard latitude.magnitude + latitudeReach < 90 else { return nil }
        let sine = sin(latitudeReach * .pi / 180) / cosine
        guard sine < 1 else { return nil }
        return asin(sine) * 180 / .pi
    }

    private func box(_ south: Double, _ north: Double, _ west: Double, _ east: Double) -> Box {
        // One unit more on each side, for what rounding took.
        Box(
            south: Self.units(max(south, -90)) - 1, north: Self.units(min(north, 90)) + 1, west: Self.units(west) - 1,
            east: Self.units(east) + 1)
    }

    private static func units(_ degrees: Double) -> Int64 { Int64((degrees * PlaceSchema.unitsPerDegree).rounded()) }

    /// Metres from the center, good to 1 cm within a kilometre and to 1 % anywhere: for a choice, not for a display.
    package func distance(latitude: Int64, longitude: Int64) -> Double {
        distance(
            latitudeDegrees: Double(latitude) / PlaceSchema.unitsPerDegree,
            longitudeDegrees: Double(longitude) / PlaceSchema.unitsPerDegree)
    }

    package func distance(latitudeDegrees: Double, longitudeDegrees: Double) -> Double {
        let toRadians = Double.pi / 180
        let north = 2 * radii.along * sin((latitudeDegrees - latitude) * toRadians / 2)
        let parallels = (cosine * cos(latitudeDegrees * toRadians)).magnitude.squareRoot()
        let east = 2 * radii.across * parallels * sin((longitudeDegrees - longitude) * toRadians / 2)
        let chord = (north * north + east * east).squareRoot()
        return 2 * radii.across * asin(min(chord / (2 * radii.across), 1))
    }
}
