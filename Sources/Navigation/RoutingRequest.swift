import Configuration
import Geodesy

/// Request to a service for a route between two positions.
///
/// Source: OSRM API 5, "Route service"; Valhalla, "Turn-by-turn API".
package struct RoutingRequest: Hashable, Sendable {
    /// URL with the query.
    package let url: String
    /// JSON body of a POST request; nil for a GET request.
    package let body: String?

    /// Builds the request.
    ///
    /// - Parameter profile: profile that satisfies `RoutingService.isProfile`.
    package init(_ service: RoutingService, profile: String, from: GeodeticPosition, to: GeodeticPosition) {
        switch service.kind {
        case .osrm:
            // Steps contain every vertex; six decimals are a decimetre.
            url =
                "\(service.address)/route/v1/\(profile)/\(Self.pair(from));\(Self.pair(to))"
                + "?steps=true&geometries=polyline6&overview=full"
            body = nil
        case .valhalla:
            url = "\(service.address)/route"
            body =
                "{\"locations\":[\(Self.location(from)),\(Self.location(to))],"
                + "\"costing\":\"\(Self.costing(profile))\",\"units\":\"kilometers\"}"
        }
    }

    /// Number of decimals of the requested polylines.
    package static let precision = 6

    /// Valhalla's name of a profile.
    private static func costing(_ profile: String) -> String {
        switch profile {
        case "foot", "walk", "walking": "pedestrian"
        case "bike", "cycling": "bicycle"
        case "car", "driving": "auto"
        default: profile
        }
    }

    private static func pair(_ position: GeodeticPosition) -> String {
        "\(degrees(position.longitudeDegrees)),\(degrees(position.latitudeDegrees))"
    }

    private static func location(_ position: GeodeticPosition) -> String {
        "{\"lat\":\(degrees(position.latitudeDegrees)),\"lon\":\(degrees(position.longitudeDegrees))}"
    }

    /// Degrees with seven decimals, a centimetre, never with an exponent, which not every service parses.
    private static func degrees(_ value: Double) -> String {
        let units = Int64((value * 1e7).rounded())
        let digits = "\(units.magnitude % 10_000_000)"
        let decimals = String(repeating: "0", count: 7 - digits.count) + digits
        return "\(units < 0 ? "-" : "")\(units.magnitude / 10_000_000).\(decimals)"
    }
}
