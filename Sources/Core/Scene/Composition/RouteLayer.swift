import Geometry
import Model

/// Placements of the route in a scene. Their content is updated when the wearer has advanced, and their positions are
/// updated in every scene.
struct RouteLayer {
    private var content: RouteContent?
    private var ids: [String] = []
    private var madeFor: (sequence: UInt64, revision: UInt64)?

    /// Motion of the arrows; nil without a route.
    private(set) var motion: ArrowMotion?

    mutating func place(
        _ progress: RouteProgress, in view: WearerView, settings: SceneSettings, into placements: inout [Placement]
    ) {
        update(progress)
        guard let content else { return }
        for (number, piece) in content.pieces.enumerated() {
            if let placement = placement(of: piece, id: ids[number], view) { placements.append(placement) }
        }
    }

    mutating func clear() {
        (content, madeFor, motion) = (nil, nil, nil)
        ids = []
    }

    private mutating func update(_ progress: RouteProgress) {
        if let madeFor, madeFor == (progress.sequence, progress.revision) { return }
        madeFor = (progress.sequence, progress.revision)
        let made = RouteContent(progress)
        content = made
        motion = made.motion
        ids = made.pieces.map { PlacementID.route($0.id) }
    }

    private func placement(of piece: RoutePiece, id: String, _ view: WearerView) -> Placement? {
        guard let point = view.point(of: piece.position, height: piece.kind.height) else { return nil }
        let size: SizePolicy = piece.kind.liesOnTheGround ? .metric(piece.kind.metres) : .fading
        var placement = view.earthbound(piece.kind, id: id, at: point, size: size)
        placement.name = piece.name
        // Elements on the ground are drawn at their true distance.
        if piece.kind.liesOnTheGround { placement.displayDistance = placement.distance }
        if piece.kind != .start { placement.alongRoute = piece.ahead }
        placement.course = view.yaw(ofBearing: piece.bearing)
        placement.path = piece.path.compactMap { view.pathPoint($0) }
        if let turn = piece.turn {
            placement.side = turn.side
            placement.maneuver = turn.kind
        }
        if piece.kind == .destination {
            placement.pulse = Pulse(epoch: BootTime(nanoseconds: 0), settings: view.settings)
        }
        return placement
    }
}

extension Placement.Kind {
    /// Size. An arrow is a third as long as the spacing of arrows, and a node is a dot of half that size. Unit: metres.
    fileprivate var metres: Double { self == .arrow ? 1 : 0.5 }

    fileprivate var height: PlacementHeight { liesOnTheGround ? .groundRelative(0) : .unstated }
}
