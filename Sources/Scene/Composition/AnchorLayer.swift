import Geometry

/// Placements of the anchors in a scene.
enum AnchorLayer {
    /// Appends the placements of all anchors.
    ///
    /// - Parameter isPlacing: whether the frame is accurate enough for anchors fixed to the earth.
    static func place(
        _ board: inout AnchorBoard, isPlacing: Bool, progress: RouteProgress?, in outlook: Outlook,
        settings: SceneSettings.Anchors, into placements: inout [Placement]
    ) {
        for index in board.entries.indices where board.isLaidOut(board.entries[index]) {
            let entry = board.entries[index]
            var held: Vector3?
            if case .earth(let position, let height) = entry.anchor.site {
                guard isPlacing, let point = outlook.point(of: position, height: height) else { continue }
                held = board.layOut(
                    index, at: point, doubt: outlook.doubt(of: point, height: height), sigmas: settings.holdSigmas,
                    at: outlook.pose.time)
            }
            guard var placement = placement(of: entry.anchor, held, isPlacing, progress, outlook) else { continue }
            placement.name = entry.anchor.name
            placement.category = entry.anchor.category
            placement.properties = entry.anchor.properties
            placements.append(placement)
        }
    }

    /// - Parameter point: position of an anchor on the earth. Frame: scene. Unit: metres.
    private static func placement(
        of anchor: Anchor, _ point: Vector3?, _ isPlacing: Bool, _ progress: RouteProgress?, _ outlook: Outlook
    ) -> Placement? {
        let id = PlacementID.anchor(anchor.id)
        switch anchor.site {
        case .scene(let point): return outlook.placement(.anchor, id: id, at: point, size: anchor.size)
        case .head(let point): return outlook.headLocked(id: id, at: point, size: anchor.size)
        case .earth:
            guard let point else { return nil }
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
