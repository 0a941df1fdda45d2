import WaymarkClient
import WaymarkInterface

package enum PlaceText {
    package static func table(_ places: [Waymark.Place]) -> [String] {
        guard !places.isEmpty else { return ["No place found."] }
        let rows = places.map { place in
            [
                place.favorite ? "★" : "", place.distance.map(Words.distance) ?? Words.unknown,
                place.bearing.map { Words.bearing($0, digits: 0) } ?? Words.unknown, Words.line(place.kind),
                Words.line(place.name), Words.line(place.id),
            ]
        }
        return Table(
            [("", .left), ("distance", .right), ("bearing", .right), ("kind", .left), ("name", .left), ("id", .left)],
            rows
        ).lines
    }

    /// Lists all details of a place: first those that Waymark has its own names for, then all others under the names
    /// that their source uses.
    package static func lines(_ place: Waymark.Place) -> [String] {
        let height = place.geo.height.map { "  \($0.fixed(1)) m above the \(surface(place.heightKind))" } ?? ""
        var rows = [
            ("name", Words.line(place.name) + (place.favorite ? " ★" : "")), ("kind", Words.line(place.kind)),
            ("id", Words.line(place.id)),
            ("position", "\(place.geo.latitude.fixed(7))° \(place.geo.longitude.fixed(7))°\(height)"),
        ]
        if let distance = place.distance {
            let bearing = place.bearing.map { ", \(Words.bearing($0, digits: 0)) \(Words.compassPoint($0))" } ?? ""
            rows.append(("distance", Words.distance(distance) + bearing))
        }
        rows += details(place.details)
        let rest = (place.properties ?? [:]).sorted { $0.key < $1.key }
        rows += rest.map { (Words.line($0.key), Words.line($0.value)) }
        let width = min(24, (rows.map(\.0.count).max() ?? 0) + 2)
        return rows.map { $0.0.left(max(width, $0.0.count + 2)) + $0.1 }
    }

    private static func surface(_ heightKind: OpenWord<SceneInterface.HeightKind>) -> String {
        switch heightKind {
        case .known(.eye): "eyes"
        case .known(.ground): "ground"
        case .known(.roof): "roof"
        case .known(.sea): "sea"
        case .known(.ellipsoid), .unknown: "ellipsoid"
        }
    }

    private static func details(_ details: Waymark.PlaceDetails?) -> [(String, String)] {
        guard let details else { return [] }
        let rows: [(String, String?)] = [
            ("address", details.address), ("phone", details.phone), ("email", details.email),
            ("web page", details.website), ("opening hours", details.openingHours),
            ("wheelchair", details.wheelchair), ("operated by", details.operator), ("wikipedia", details.wikipedia),
            ("description", details.description),
        ]
        return rows.compactMap { name, text in text.map { (name, Words.line($0)) } }
            + (details.pictures ?? []).map { ("picture", Words.line($0)) }
    }

    package static func line(_ filter: Waymark.PlaceFilter) -> String {
        let kinds = filter.kinds.isEmpty ? "all kinds" : filter.kinds.map(Words.line).joined(separator: ", ")
        return "\(kinds) within \(Words.distance(filter.radius))\(filter.favoritesOnly ? ", favourites only" : "")"
    }

    package static func table(_ filters: [Waymark.PlaceFilter]) -> [String] {
        guard !filters.isEmpty else { return ["No saved filters; `waymark places filter --save NAME` saves one."] }
        return Table([("name", .left), ("shows", .left)], filters.map { [Words.line($0.name ?? ""), line($0)] }).lines
    }

    package static func line(_ result: Waymark.PlaceImport) -> String {
        let removed = result.removed > 0 ? ", \(result.removed) removed" : ""
        let flawed = result.flawed > 0 ? ", \(result.flawed) skipped" : ""
        return
            "\(result.imported) place\(result.imported == 1 ? "" : "s") imported, \(result.added) of them new\(removed)\(flawed)"
    }

    /// Progress of an import.
    ///
    /// - Parameter size: size of the document in bytes; nil while unknown.
    package static func progress(_ result: Waymark.PlaceImport, size: Int?) -> String {
        let share = size.map { $0 > 0 ? ", \(min(100, result.bytes * 100 / $0)) %" : "" } ?? ""
        return "\(result.imported) places, \(Words.size(result.bytes))\(share)"
    }
}

package enum RouteText {
    /// - Parameter service: routing service that found the route; nil to omit the service.
    package static func lines(_ route: Waymark.Route, by service: String? = nil) -> [String] {
        var rows = [("route", Words.line(route.name)), ("length", length(route)), ("state", state(route))]
        rows += LabelledText.rows("service", service.map(Words.line))
        rows += LabelledText.rows("walked", route.along.map(Words.distance))
        if let remaining = route.remaining, route.state != .arrived {
            let time = route.remainingSeconds.map { ", about \(Words.duration($0))" } ?? ""
            rows.append(("remaining", Words.distance(remaining) + time))
        }
        if let turn = route.nextTurn, route.state != .arrived {
            rows.append(("next turn", "in \(Words.distance(turn.alongRoute)): \(Words.line(turn.text))"))
        }
        return rows.map { $0.0.left(11) + $0.1 }
    }

    /// Length of a route, with its numbers of turns and vertices, and the duration that the routing service expects.
    package static func length(_ route: Waymark.Route) -> String {
        let duration = route.duration.map { ", \(Words.duration($0)) according to the routing service" } ?? ""
        return "\(Words.distance(route.length)), \(route.turns) turn\(route.turns == 1 ? "" : "s"), "
            + "\(route.vertices) vertices\(duration)"
    }

    private static func state(_ route: Waymark.Route) -> String {
        guard route.along != nil else { return "waiting for the first position" }
        switch route.state {
        case .following: return "followed"
        case .offRoute:
            return "off the route" + (route.distanceFromRoute.map { ", \(Words.distance($0)) away" } ?? "")
        case .arrived: return "finished"
        }
    }
}
