import Geometry

/// Placements of the anchors in a scene.
enum AnchorLayer {
    /// Appends the placements of all anchors.
    ///
    /// - Parameter isPlacing: whether the frame is accurate enough for anchors fixed to the earth.
    static func place(
        _ registry: inout AnchorRegistry, isPlacing: Bool, progress: RouteProgress?, in view: WearerView,
        settings: SceneSettings.Anchors, into placements: inout [Placement]
    ) {
        for index in registry.entries.indices where registry.isLaidOut(registry.entries[index]) {
            let entry = registry.entries[index]
            var held: Vector3?
            if case .earth(let position, let height) = entry.anchor.site {
                guard isPlacing, let point = view.point(of: position, height: height) else { continue }
                held = registry.layOut(
                    index, at: point, uncertainty: view.uncertainty(of: point, height: height),
                    sigmas: settings.holdSigmas,
                    at: view.pose.time)
            }
            guard var placement = placement(of: entry.anchor, held, isPlacing, progress, view) else { continue }
            placement.name = entry.anchor.name
            placement.category = entry.anchor.category
            placement.properties = entry.anchor.properties
            placements.append(placement)
        }
    }

    /// - Parameter point: position of an anchor fixed to the earth. Frame: scene. Unit: metres.
    private static func placement(
        of anchor: Anchor, _ point: Vector3?, _ isPlacing: Bool, _ progress: RouteProgress?, _ view: WearerView
    ) -> Placement? {
        let id = PlacementID.anchor(anchor.id)
        switch anchor.site {
        case .scene(let point): return view.placement(.anchor, id: id, at: point, size: anchor.size)
        case .head(let point): return view.headLocked(id: id, at: point, size: anchor.size)
        case .earth:
            guard let point else { return nil }
            return view.earthbound(.anchor, id: id, at: point, size: anchor.size)
        case .route(let along):
            guard isPlacing, let position = progress?.plan.position(along: along),
                let point = view.point(of: position, height: .unstated)
            else { return nil }
            var placement = view.earthbound(.anchor, id: id, at: point, size: anchor.size)
            if let here = progress?.alongRoute, along >= here { placement.alongRoute = along - here }
            return placement
        }
    }
}
