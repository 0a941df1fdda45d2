import Geometry
import WaymarkClient

/// Detects that a document has longitude and latitude exchanged. Its content is then far from the wearer, but near if
/// the two are exchanged back. A reader of the format cannot detect this, because both orders are valid coordinates.
struct ExchangedCoordinates {
    /// Distance that no walk covers. Unit: metres.
    private static let far = 1e6
    /// Distance from the wearer within which content usually is. Unit: metres.
    private static let near = 1e5

    private let client: Waymark.Client
    private let here: GeodeticPosition
    /// The wearer's position with longitude and latitude exchanged.
    private let exchanged: GeodeticPosition

    /// Makes a detector; nil while the wearer's position is unknown, or if exchanging its coordinates hardly moves it.
    init?(_ client: Waymark.Client) {
        guard let geo = try? client.pose().geo, let here = GeodeticPosition(geo.latitude, geo.longitude),
            let exchanged = GeodeticPosition(geo.longitude, geo.latitude),
            Self.distance(here, exchanged) > Self.far
        else { return nil }
        (self.client, self.here, self.exchanged) = (client, here, exchanged)
    }

    /// Returns a warning about content that begins at a position; nil if the position is plausible.
    func warning(_ what: String, latitude: Double, longitude: Double, remedy: String) -> String? {
        guard let position = GeodeticPosition(latitude, longitude), Self.distance(position, exchanged) < Self.near
        else {
            return nil
        }
        let distance = Words.distance(Self.distance(position, here))
        return "\(what) \(distance) from here, but nearby with longitude and latitude exchanged: GeoJSON has the "
            + "longitude first; correct the file, and \(remedy)"
    }

    /// Returns the same warning for stored places.
    func warningOfPlaces() -> String? {
        let centre = Waymark.Location(
            latitude: exchanged.latitudeDegrees, longitude: exchanged.longitudeDegrees, height: nil)
        guard let place = try? client.placesNear(radius: Self.near, limit: 1, near: centre).first else { return nil }
        return warning(
            "the place \"\(Words.line(place.name))\" lies", latitude: place.geo.latitude,
            longitude: place.geo.longitude, remedy: "import it again with --replace")
    }

    /// Distance over the ground. Unit: metres.
    private static func distance(_ one: GeodeticPosition, _ other: GeodeticPosition) -> Double {
        Geodesic(from: one, to: other).distance
    }
}

extension GeodeticPosition {
    /// Makes a position on the ellipsoid, from degrees; nil if there is no such place.
    init?(_ latitude: Double, _ longitude: Double) {
        self.init(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0)
    }
}
