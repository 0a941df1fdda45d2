import Documents
import Engine
import Messages
import Model
import Scene

/// Route and placements as a recording keeps them for maps: what stands somewhere, not the arrows that move.
enum RecordedMap {
    /// GeoJSON; nil while there is neither a route nor a placement on the earth.
    static func text(of engine: inout Engine) -> String? {
        let route = engine.progress.map { (name: $0.plan.route.name, vertices: $0.plan.route.vertices) }
        let points = points(of: &engine)
        guard route != nil || !points.isEmpty else { return nil }
        return SceneDocument.text(route: route, points: points)
    }

    private static func points(of engine: inout Engine) -> [SceneDocument.Point] {
        guard let placements = engine.compose()?.placements else { return [] }
        return placements.compactMap { placement in
            guard placement.stands, let position = engine.position(ofPlacement: placement) else { return nil }
            return SceneDocument.Point(
                id: placement.id, kind: "\(placement.kind.message)", name: placement.name, position: position)
        }
    }
}

extension Placement {
    fileprivate var stands: Bool {
        switch kind {
        case .place, .start, .turn, .destination, .anchor: lock == .scene
        case .cluster, .route, .arrow, .node: false
        }
    }
}
