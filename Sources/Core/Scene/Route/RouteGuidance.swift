import Geometry

/// Where a wearer wants to go: what a route is asked for by, now and from elsewhere later.
public struct RouteDestination: Hashable, Sendable {
    /// Name for display.
    public var name: String
    /// Identifier of the place; nil where the destination is none that is stored.
    public var place: String?
    /// Geodetic position; its height is ignored.
    public var position: GeodeticPosition
    /// Profile of the routing service, such as `foot`; nil for its default.
    public var profile: String?

    /// Destination with the given properties.
    public init(name: String, place: String? = nil, position: GeodeticPosition, profile: String? = nil) {
        self.name = name
        self.place = place
        self.position = position
        self.profile = profile
    }
}

/// Where a route leads, and what found it.
public struct RouteGuidance: Hashable, Sendable {
    /// What found a route.
    public enum Finder: Hashable, Sendable {
        /// A program that knows ways, with the service that it asks, in its own words; nil where it says none.
        case navigator(service: String?)
        /// Geodesy alone.
        case straightLine
    }

    /// Destination that the route was asked for by; the route may end before it.
    public var destination: RouteDestination
    /// What found the route.
    public var finder: Finder

    /// Guidance with the given properties.
    public init(destination: RouteDestination, finder: Finder) {
        self.destination = destination
        self.finder = finder
    }
}

extension Route {
    /// What a new route from elsewhere leads to: the destination that it was asked for by, else its end; nil without
    /// vertices.
    public var destination: RouteDestination? {
        guidance?.destination ?? vertices.last.map { RouteDestination(name: name, position: $0) }
    }

    /// Distance over ground from the end of the route to its destination, which may be off the mapped ways; 0 where
    /// that is the end. Unit: metres.
    public var remainder: Double {
        guard let destination = guidance?.destination, let end = vertices.last else { return 0 }
        return Geodesic(from: end, to: destination.position).distance
    }
}
