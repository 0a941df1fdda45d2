import Geodesy
import Geometry

/// One thing that is shown of a route, at its place on the earth.
public struct RoutePiece: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        /// Where one who has left the route comes back to it.
        case wayBack
        case start
        case arrow
        case node
        case turn
        case destination
    }

    /// Begins with the route's id and its sequence: no piece of one route has the id of another's.
    public var id: String
    public var kind: Kind
    public var name: String
    public var position: GeodeticPosition
    /// From the start of the route, along it. Unit: metres.
    public var alongRoute: Double
    /// From the wearer's place on the route, along it; 0 for what is behind. Unit: metres.
    public var ahead: Double
    /// In which the route leads there, clockwise from true north, radians in [0, 2π).
    public var bearing: Double
    /// Of a turn.
    public var turn: RouteTurn?
    /// Of an arrow: its way in each period. Empty for what stands still.
    public var path: [ArrowPoint]
}

/// What is shown of a route at one moment: the arrows and nodes of the stretch ahead, start, turns, destination, and the way
/// back for one who has left it.
///
/// It is the same until the next position (`RouteProgress.revision`). Everything stands still on the earth; a step forward takes pieces away behind and adds some ahead. How arrows move between
/// is told once, by `motion`.
public struct RouteContent: Hashable, Sendable {
    /// Way back, start, arrows, nodes and turns in their order along the route, destination.
    public var pieces: [RoutePiece]
    public var motion: ArrowMotion

    /// Nothing before the first position and after arrival.
    public init(_ progress: RouteProgress) {
        motion = ArrowMotion(progress.plan.settings)
        pieces = []
        guard progress.state != .arrived, let window = progress.windowAhead else { return }
        let maker = PieceMaker(progress, window: window)
        pieces = [maker.wayBack, maker.start].compactMap { $0 } + maker.arrows + maker.nodes
        if let destination = maker.destination { pieces.append(destination) }
    }
}

/// Makes the pieces of one route at one moment.
private struct PieceMaker {
    let progress: RouteProgress
    let window: ClosedRange<Double>
    private var plan: RoutePlan { progress.plan }

    init(_ progress: RouteProgress, window: ClosedRange<Double>) {
        self.progress = progress
        self.window = window
    }

    var wayBack: RoutePiece? {
        progress.wayBack.flatMap { piece(.wayBack, "back", plan.route.name, along: $0.alongRoute) }
    }

    /// Until the first node is past.
    var start: RoutePiece? {
        guard window.lowerBound <= plan.settings.nodeSpacingMetres else { return nil }
        return piece(.start, "start", plan.route.name, along: 0)
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

    /// The next turn, too, should it lie beyond the window.
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

    var destination: RoutePiece? { piece(.destination, "destination", plan.route.name, along: plan.length) }

    private func turn(_ number: Int) -> RoutePiece? {
        let turn = plan.turns[number]
        var made = piece(.turn, "turn/\(number)", turn.words, along: turn.alongRoute)
        made?.turn = turn
        return made
    }

    private func piece(_ kind: RoutePiece.Kind, _ id: String, _ name: String, along: Double) -> RoutePiece? {
        plan.position(along: along).map {
            piece(kind, id, name, along: along, at: $0, bearing: plan.bearing(along: along))
        }
    }

    private func piece(
        _ kind: RoutePiece.Kind, _ id: String, _ name: String, along: Double, at position: GeodeticPosition,
        bearing: Double
    ) -> RoutePiece {
        let here = progress.wayBack?.alongRoute ?? progress.alongRoute ?? window.lowerBound
        return RoutePiece(
            id: "\(plan.route.id)#\(progress.sequence)/\(id)", kind: kind, name: name, position: position,
            alongRoute: along, ahead: max(0, along - here), bearing: bearing, turn: nil, path: [])
    }
}
