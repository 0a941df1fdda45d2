import Geometry

/// Destination for which a route is requested. Later routes from other positions lead to it, too.
public struct RouteDestination: Hashable, Sendable {
    package var name: String
    /// Identifier of the place; nil if the destination is not a stored place.
    public var place: String?
    /// Geodetic position. Its height is ignored.
    public var position: GeodeticPosition
    /// Profile of the routing service, such as `foot`; nil for its default.
    public var profile: String?

    package init(name: String, place: String? = nil, position: GeodeticPosition, profile: String? = nil) {
        self.name = name
        self.place = place
        self.position = position
        self.profile = profile
    }
}

/// Destination of a route, and the program or method that found it.
public struct RouteGuidance: Hashable, Sendable {
    /// Program or method that found a route.
    public enum Finder: Hashable, Sendable {
        /// A program that plans routes, with the name of the service that it uses; nil if the program does not report
        /// it.
        case navigator(service: String?)
        /// The straight line, without any program.
        case straightLine
    }

    /// Destination for which the route was requested. The route may end before it.
    public var destination: RouteDestination
    package var finder: Finder

    package init(destination: RouteDestination, finder: Finder) {
        self.destination = destination
        self.finder = finder
    }
}

extension Route {
    /// Destination for a new route from another position. It is the one for which the route was requested, or else the
    /// end of the route; nil without vertices.
    public var destination: RouteDestination? {
        guidance?.destination ?? vertices.last.map { RouteDestination(name: name, position: $0) }
    }

    /// Distance from the end of the route to its destination, which may be away from mapped ways; 0 if the route ends
    /// at it. Unit: metres.
    public var remainder: Double {
        guard let destination = guidance?.destination, let end = vertices.last else { return 0 }
        return Geodesic(from: end, to: destination.position).distance
    }
}
