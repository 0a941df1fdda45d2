import Geodesy
import Geometry

/// One thing in the wearer's surroundings and the way it lies.
public struct AheadItem: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        /// The nearest point of the route, for a wearer who has left it.
        case route
        case turn
        case destination
        case place
    }

    public var id: String
    public var kind: Kind
    public var name: String
    /// In a straight line over ground. Unit: metres.
    public var distance: Double
    /// From the nearest point of the route, along it, for what lies on it. Unit: metres.
    public var alongRoute: Double?
    /// Clockwise from true north, radians in [0, 2π); straight ahead at the very place.
    public var bearing: Double
    /// From the present heading, right positive, radians in [−π, π]; nil while the heading is not known.
    public var turn: Double?

    public init(
        id: String, kind: Kind, name: String, distance: Double, alongRoute: Double?, bearing: Double, turn: Double?
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.distance = distance
        self.alongRoute = alongRoute
        self.bearing = bearing
        self.turn = turn
    }
}

/// What lies around a wearer.
public struct Ahead: Sendable {
    public var position: GeodeticPosition
    /// Clockwise from true north, radians; nil while it is not known.
    public var heading: Double?

    public init(position: GeodeticPosition, heading: Double?) {
        self.position = position
        self.heading = heading
    }

    /// The nearest first, at most `limit` within `radius` metres; what is equally far, in the order of the ids.
    public func items(
        progress: RouteProgress?, places: some Sequence<Place>, radius: Double, limit: Int
    ) -> [AheadItem] {
        var items = progress.map(routeItems) ?? []
        for place in places {
            items.append(item(id: place.id, kind: .place, name: place.name, at: place.position, along: nil))
        }
        items.removeAll { !($0.distance <= radius) }
        items.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
        return Array(items.prefix(max(0, limit)))
    }

    /// Turns and destination; for a wearer off the route the way back to it.
    private func routeItems(_ progress: RouteProgress) -> [AheadItem] {
        guard progress.state != .arrived, let here = progress.alongRoute,
            let destination = progress.route.vertices.last
        else { return [] }
        let route = progress.route
        var items: [AheadItem] = []
        if progress.state == .offRoute, let nearest = progress.nearestPosition {
            items.append(item(id: route.id, kind: .route, name: route.name, at: nearest, along: 0))
        }
        for turn in progress.turnsAhead {
            guard let place = progress.position(of: turn) else { continue }
            items.append(
                item(
                    id: "\(route.id)/turn/\(Int(turn.alongRoute.rounded()))", kind: .turn,
                    name: turn.words, at: place,
                    along: max(0, turn.alongRoute - here)))
        }
        items.append(
            item(
                id: "\(route.id)/destination", kind: .destination, name: route.name, at: destination,
                along: max(0, progress.length - here)))
        return items
    }

    private func item(
        id: String, kind: AheadItem.Kind, name: String, at place: GeodeticPosition, along: Double?
    ) -> AheadItem {
        let line = Geodesic(from: position, to: place)
        let bearing = line.bearing ?? heading ?? 0
        return AheadItem(
            id: id, kind: kind, name: name, distance: line.distance, alongRoute: along, bearing: bearing,
            turn: heading.map { Angle.wrapped(bearing - $0) })
    }
}
