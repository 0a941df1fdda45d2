import Geometry

/// Element of a route that is shown at its position on the earth.
public struct RoutePiece: Hashable, Sendable {
    /// Identifier. It begins with the route's identifier and sequence number, which make it unique among all routes.
    public var id: String
    package var kind: Placement.Kind
    /// Name of the element. At the way back and at the destination, it is the name of the route, because a route is
    /// named after its destination. For a turn, it is the instruction. Empty for other elements.
    public var name: String
    /// Geodetic position. Its height is ignored.
    public var position: GeodeticPosition
    /// Distance along the route from its start. Unit: metres.
    public var alongRoute: Double
    /// Distance along the route from the wearer's position on it; 0 for elements behind. For the destination, it is the
    /// remaining distance. Unit: metres.
    public var ahead: Double
    /// Bearing of the route at the element, clockwise from true north, in radians in [0, 2π).
    public var bearing: Double
    package var turn: RouteTurn?
    /// Path of an arrow in each period; empty for other elements.
    public var path: [ArrowPoint]
}

/// Elements of a route that are shown at one instant: arrows and nodes of the stretch ahead, start, turns, destination,
/// and the way back for a wearer who has left the route.
///
/// The content stays the same until the next position (`RouteProgress.revision`). Every element is fixed to the earth.
/// As the wearer advances, elements are removed behind and added ahead. In between, `motion` describes how the arrows
/// move.
public struct RouteContent: Hashable, Sendable {
    /// Way back, start, arrows, nodes and turns in order along the route, and the destination.
    public var pieces: [RoutePiece]
    package var motion: ArrowMotion

    /// Makes the content for the progress along a route; empty before the first position and after arrival.
    public init(_ progress: RouteProgress) {
        motion = ArrowMotion(progress.plan.settings)
        pieces = []
        guard progress.state != .arrived, let window = progress.windowAhead else { return }
        let maker = PieceMaker(progress: progress, window: window)
        pieces = [maker.wayBack, maker.start].compactMap { $0 } + maker.arrows + maker.nodes
        if let destination = maker.destination { pieces.append(destination) }
    }
}

private struct PieceMaker {
    let progress: RouteProgress
    let window: ClosedRange<Double>
    private var plan: RoutePlan { progress.plan }

    var wayBack: RoutePiece? {
        progress.wayBack.flatMap { piece(.route, "back", plan.route.name, along: $0.alongRoute) }
    }

    /// Start of the route. It is shown until the wearer has passed the first node.
    var start: RoutePiece? {
        guard window.lowerBound <= plan.settings.nodeSpacingMetres else { return nil }
        return piece(.start, "start", "", along: 0)
    }

    var arrows: [RoutePiece] {
        plan.arrows(in: window).compactMap { number in
            let path = plan.path(ofArrow: number)
            guard let start = path.first else { return nil }
            var arrow = piece(
                .arrow, "arrow/\(number)", "", along: Double(number) * plan.settings.arrowSpacingMetres,
                at: start.position, bearing: start.bearing)
            arrow.path = path
            return arrow
        }
    }

    /// Nodes and turns in the window, and the next turn even if it lies beyond the window.
    var nodes: [RoutePiece] {
        var found = plan.nodes(in: window).compactMap { node -> RoutePiece? in
            switch node.kind {
            case .start, .destination: nil
            case .passage: piece(.node, "node/\(node.index)", "", along: node.alongRoute)
            case .turn(let number): turn(number)
            }
        }
        let next = progress.turnsAhead.startIndex
        if next < plan.turns.count, plan.turns[next].alongRoute > window.upperBound, let turn = turn(next) {
            found.append(turn)
        }
        return found
    }

    /// Destination. Its distance ahead is the remaining distance, even for a wearer beside the end or off the route.
    var destination: RoutePiece? {
        var made = piece(.destination, "destination", plan.route.name, along: plan.length)
        if let remaining = progress.remaining { made?.ahead = remaining }
        return made
    }

    private func turn(_ number: Int) -> RoutePiece? {
        let turn = plan.turns[number]
        var made = piece(.turn, "turn/\(number)", turn.text ?? "", along: turn.alongRoute)
        made?.turn = turn
        return made
    }

    private func piece(_ kind: Placement.Kind, _ id: String, _ name: String, along: Double) -> RoutePiece? {
        plan.position(along: along).map {
            piece(kind, id, name, along: along, at: $0, bearing: plan.bearing(along: along))
        }
    }

    private func piece(
        _ kind: Placement.Kind, _ id: String, _ name: String, along: Double, at position: GeodeticPosition,
        bearing: Double
    ) -> RoutePiece {
        let here = progress.wayBack?.alongRoute ?? progress.alongRoute ?? window.lowerBound
        return RoutePiece(
            id: "\(plan.route.id)#\(progress.sequence)/\(id)", kind: kind, name: name, position: position,
            alongRoute: along, ahead: max(0, along - here), bearing: bearing, turn: nil, path: [])
    }
}
