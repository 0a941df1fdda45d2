import Configuration
import Geodesy

/// What a service is asked: the way from one place to another.
///
/// Source: OSRM API 5, "Route service"; Valhalla, "Turn-by-turn API".
package struct RoutingRequest: Hashable, Sendable {
    package let url: String
    /// JSON to post; nil gets.
    package let body: String?

    /// - Parameter profile: as `RoutingService.isProfile` takes it.
    package init(_ service: RoutingService, profile: String, from: GeodeticPosition, to: GeodeticPosition) {
        switch service.kind {
        case .osrm:
            // Steps have every bend; six decimals are a decimetre.
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

    /// Of the encoded lines that are asked for.
    package static let precision = 6

    /// Valhalla's name for a profile that others name differently.
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

    /// With up to seven decimals, a centimetre, and never with an exponent, which not every service reads.
    private static func degrees(_ value: Double) -> String {
        let units = Int64((value * 1e7).rounded())
        let digits = "\(units.magnitude % 10_000_000)"
        let decimals = String(repeating: "0", count: 7 - digits.count) + digits
        return "\(units < 0 ? "-" : "")\(units.magnitude / 10_000_000).\(decimals)"
    }
}
