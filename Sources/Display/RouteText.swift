import WaymarkClient

/// A route and how far it has been walked, in words.
public enum RouteText {
    /// - Parameter service: that found it; nil leaves it out.
    public static func lines(_ route: Waymark.Route, by service: String? = nil) -> [String] {
        var rows = [
            ("route", Words.line(route.name)),
            ("length", length(route)),
            ("state", state(route)),
        ]
        if let service { rows.append(("service", Words.line(service))) }
        if let along = route.along { rows.append(("walked", Words.distance(along))) }
        if let remaining = route.remaining, route.state != .arrived {
            let time = route.remainingSeconds.map { ", about \(Words.duration($0))" } ?? ""
            rows.append(("remaining", Words.distance(remaining) + time))
        }
        if let turn = route.nextTurn, route.state != .arrived {
            rows.append(("next turn", "in \(Words.distance(turn.alongRoute)): \(Words.line(turn.text))"))
        }
        return rows.map { $0.0.left(11) + $0.1 }
    }

    /// Length of a route, with turns, vertices and the duration that its service expects.
    public static func length(_ route: Waymark.Route) -> String {
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
