/// Format of a route document; the raw value is its name on the wire and on the command line.
public enum RouteFormat: String, Hashable, Sendable, CaseIterable {
    /// A response of OSRM's route service.
    case osrm
    /// A response of Valhalla's route service.
    case valhalla
    /// A response of Mapbox Directions.
    case mapbox
    /// A response of Google's Directions or Routes.
    case google
    /// GeoJSON with a LineString or a MultiLineString.
    case geojson
    /// GPX with a route or a track.
    case gpx
    /// The text of an encoded polyline with five decimals.
    case polyline5
    /// The text of an encoded polyline with six decimals.
    case polyline6

    /// List of all formats, for messages.
    static var list: String {
        """
        responses of OSRM, Valhalla, Mapbox Directions, Google Directions and Google Routes; GeoJSON with a LineString; \
        GPX; and encoded polylines, whose precision has to be declared (polyline5 or polyline6)
        """
    }
}
