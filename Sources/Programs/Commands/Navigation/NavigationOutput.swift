import WaymarkClient

/// Output of `waymark route to` and `waymark navigator`: text, or a JSON object per line.
package struct NavigationOutput {
    /// Events on the way to a destination; the raw values are the words in the member `event` of the objects.
    enum Event: String {
        /// The daemon follows the first route.
        case set
        /// The wearer has left the route, or returned to it.
        case offRoute, onRoute
        /// The daemon follows another route from the wearer's current position.
        case newRoute
        case arrived
        /// Another client has replaced or cleared the route.
        case replaced, cleared
        /// The navigator that would find another route is no longer registered, or is registered again.
        case navigatorGone, navigatorBack
    }

    let asJSON: Bool
    let destination: NavigationDestination
    /// Service that found the route; nil for a straight line.
    let service: String?
    /// Distance from the end of the current route to the destination. Unit: metres.
    var remainder = 0.0

    /// Makes the output for a route that was requested from the daemon by its destination.
    init(asJSON: Bool, _ destination: Waymark.Destination) throws(WaymarkError) {
        self.asJSON = asJSON
        self.destination = try NavigationDestination(destination)
        let isStraight = destination.foundBy == .known(.straightLine)
        service = isStraight ? nil : destination.service ?? "a navigator"
        remainder = destination.remainder
    }

    package init(asJSON: Bool, destination: NavigationDestination, service: String?) {
        self.asJSON = asJSON
        self.destination = destination
        self.service = service
    }

    /// Distance from the route's end to the destination above which the output reports that the route ends elsewhere.
    /// It is larger than a place's extent, entrance included. Unit: metres.
    private static let noticeable = 50.0

    func show(_ event: Event, _ route: Waymark.Route?) throws {
        if asJSON { return try Terminal.print(JSONText.line(line(event, route))) }
        switch (event, route) {
        case (.set, let route?):
            let lines = RouteText.lines(route, by: service ?? "none, a straight line")
            try Terminal.print(
                lines + (shortfall.map { ["ends       \($0): the routing service has no closer way"] } ?? []))
        case (.newRoute, let route?):
            try Terminal.print(["new route: \(RouteText.length(route))" + (shortfall.map { ", ends \($0)" } ?? "")])
        case (.offRoute, let route):
            let distance = route?.distanceFromRoute.map { ", \(Words.distance($0)) away" } ?? ""
            try Terminal.print(["off the route\(distance)"])
        case (.onRoute, _): try Terminal.print(["back on the route"])
        case (.arrived, _):
            try Terminal.print(["arrived: " + (shortfall.map { "the end, \($0)" } ?? Words.line(destination.name))])
        case (.navigatorGone, _):
            try Terminal.print(["the navigator has gone: without it no other route is found; start 'waymark navigator'"]
            )
        case (.navigatorBack, _): try Terminal.print(["a navigator is back"])
        case (.set, nil), (.newRoute, nil), (.replaced, _), (.cleared, _): break
        }
    }

    /// Distance from the end of the route to the destination; nil if the route ends at the destination.
    private var shortfall: String? {
        guard remainder > Self.noticeable else { return nil }
        return "\(Words.distance(remainder)) from \(Words.line(destination.name))"
    }

    private func line(_ event: Event, _ route: Waymark.Route?) -> JSONMembers {
        let place = JSONMembers(
            members: ["name": destination.name, "id": destination.id],
            numbers: [
                "latitude": destination.position.latitudeDegrees, "longitude": destination.position.longitudeDegrees,
            ])
        return JSONMembers(
            members: ["event": event.rawValue, "route": route, "destination": place, "service": service],
            numbers: ["remainder": service.map { _ in (remainder * 10).rounded() / 10 }])
    }
}
