import Geometry
import WaymarkClient

/// Finds that a document has longitude and latitude exchanged: what it holds is far from the wearer, but near with both
/// exchanged back. Each alone is a valid coordinate, so that no reader of a format can notice.
struct ExchangedCoordinates {
    /// No walk leads so far. Unit: metres.
    private static let far = 1e6
    /// Radius around the wearer in which content is usual. Unit: metres.
    private static let near = 1e5

    private let client: Waymark.Client
    private let here: GeodeticPosition
    /// What the wearer's position is with longitude and latitude exchanged.
    private let exchanged: GeodeticPosition

    /// Nil while the position is unknown, and where exchanging its coordinates changes it little.
    init?(_ client: Waymark.Client) {
        guard let geo = try? client.pose().geo, let here = Self.position(geo.latitude, geo.longitude),
            let exchanged = Self.position(geo.longitude, geo.latitude),
            Self.distance(here, exchanged) > Self.far
        else { return nil }
        (self.client, self.here, self.exchanged) = (client, here, exchanged)
    }

    /// Warning about what begins at a position; nil where it may well be there.
    func warning(_ what: String, latitude: Double, longitude: Double, remedy: String) -> String? {
        guard let position = Self.position(latitude, longitude), Self.distance(position, exchanged) < Self.near else {
            return nil
        }
        let distance = Words.distance(Self.distance(position, here))
        return "\(what) \(distance) from here, but nearby with longitude and latitude exchanged: GeoJSON has the "
            + "longitude first; correct the file, and \(remedy)"
    }

    /// The same about stored places.
    func warningOfPlaces() -> String? {
        let centre = Waymark.Location(
            latitude: exchanged.latitudeDegrees, longitude: exchanged.longitudeDegrees, height: nil)
        guard let place = try? client.placesNear(radius: Self.near, limit: 1, near: centre).first else { return nil }
        return warning(
            "the place \"\(Words.line(place.name))\" lies", latitude: place.geo.latitude,
            longitude: place.geo.longitude, remedy: "import it again with --replace")
    }

    private static func position(_ latitude: Double, _ longitude: Double) -> GeodeticPosition? {
        GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
    }

    /// Over the ground. Unit: metres.
    private static func distance(_ one: GeodeticPosition, _ other: GeodeticPosition) -> Double {
        Geodesic(from: one, to: other).distance
    }
}
