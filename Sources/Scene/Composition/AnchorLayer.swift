import Geometry

/// The anchors of a scene.
enum AnchorLayer {
    /// - Parameter isPlacing: whether the frame is good enough for what is fixed to the earth.
    static func place(
        _ board: AnchorBoard, isPlacing: Bool, progress: RouteProgress?, in outlook: Outlook,
        into placements: inout [Placement]
    ) {
        for entry in board.entries where board.isLaidOut(entry) {
            guard var placement = placement(of: entry.anchor, isPlacing, progress, outlook) else { continue }
            placement.name = entry.anchor.name
            placement.category = entry.anchor.category
            placement.properties = entry.anchor.properties
            placements.append(placement)
        }
    }

    private static func placement(
        of anchor: Anchor, _ isPlacing: Bool, _ progress: RouteProgress?, _ outlook: Outlook
    ) -> Placement? {
        let id = PlacementID.anchor(anchor.id)
        switch anchor.site {
        case .scene(let point): return outlook.placement(.anchor, id: id, at: point, size: anchor.size)
        case .head(let point): return outlook.headLocked(id: id, at: point, size: anchor.size)
        case .earth(let position, let height):
            guard isPlacing, let point = outlook.point(of: position, height: height) else { return nil }
            return outlook.earthbound(.anchor, id: id, at: point, size: anchor.size)
        case .route(let along):
            guard isPlacing, let position = progress?.plan.position(along: along),
                let point = outlook.point(of: position, height: .atEye)
            else { return nil }
            var placement = outlook.earthbound(.anchor, id: id, at: point, size: anchor.size)
            if let here = progress?.alongRoute, along >= here { placement.alongRoute = along - here }
            return placement
        }
    }
}
