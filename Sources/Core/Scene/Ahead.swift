import Geometry

/// A turn, destination or place around the wearer, with its distance and direction.
public struct AheadItem: Hashable, Sendable {
    /// Kind of item.
    public enum Kind: UInt8, Hashable, Sendable {
        /// The nearest point of the route, for a wearer who has left it.
        case route
        case turn
        case destination
        case place
    }

    /// Identifier: that of the placement for a place, otherwise that of the route, with a suffix for turns and the
    /// destination.
    public var id: String
    package var kind: Kind
    /// Name for display. For a turn, this is the instruction of the routing service, which may be empty.
    public var name: String
    /// Straight-line distance from the wearer in the horizontal plane. Unit: metres.
    public var distance: Double
    /// Distance along the route to the item, from the route point nearest to the wearer. For the destination, this is
    /// the remaining distance. Nil for items that are not on the route. Unit: metres.
    public var alongRoute: Double?
    /// Bearing from the wearer, clockwise from true north, radians in [0, 2π). It equals the heading if the item is at
    /// the wearer's position.
    public var bearing: Double
    /// Bearing relative to the heading, right positive, radians in [−π, π]; nil while the heading is unknown.
    public var turn: Double?
    /// Turn of the route; nil for other kinds.
    public var routeTurn: RouteTurn?
}

/// Position and heading of a wearer, from which surrounding items are listed.
public struct Ahead: Sendable {
    package var position: GeodeticPosition
    /// Heading of the wearer, clockwise from true north, radians; nil while it is unknown.
    public var heading: Double?

    package init(position: GeodeticPosition, heading: Double?) {
        self.position = position
        self.heading = heading
    }

    /// Returns at most `limit` items within `radius` metres, nearest first. Items at equal distances are ordered by
    /// identifier.
    public func items(
        progress: RouteProgress?, places: some Sequence<Place>, radius: Double, limit: Int
    ) -> [AheadItem] {
        var items = progress.map(routeItems) ?? []
        for place in places {
            items.append(
                item(
                    id: PlacementID.place(place.id), kind: .place, name: place.name, at: place.position, along: nil))
        }
        items.removeAll { !($0.distance <= radius) }
        items.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
        return Array(items.prefix(max(0, limit)))
    }

    /// Returns the turns and the destination of a route. If the wearer has left the route, also returns its nearest
    /// point.
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
            var ahead = item(
                id: "\(route.id)/turn/\(Int(turn.alongRoute.rounded()))", kind: .turn, name: turn.text ?? "", at: place,
                along: max(0, turn.alongRoute - here))
            ahead.routeTurn = turn
            items.append(ahead)
        }
        items.append(
            item(
                id: "\(route.id)/destination", kind: .destination, name: route.name, at: destination,
                along: progress.remaining ?? max(0, progress.length - here)))
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
