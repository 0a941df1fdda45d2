import Documents
import Engine
import Geometry
import Messages
import Model
import Scene

/// Route and placements as a recording keeps them for maps. Arrows and other placements that move are left out.
struct RecordedMap {
    /// Number of the route; nil without one.
    var route: UInt64?
    private var name = ""
    private var vertices: [GeodeticPosition] = []
    private var points: [SceneDocument.Point] = []

    /// Motion of a placement below which the map is not recorded again. The published alignment constantly moves all
    /// placements by centimetres. Unit: degrees, some 5 m of latitude.
    private static let minimumMove = 5e-5

    init() {}

    init(of engine: inout Engine) {
        if let progress = engine.progress {
            route = progress.sequence
            name = progress.route.name
            vertices = progress.route.vertices
        }
        for placement in engine.compose()?.placements ?? [] where placement.stands {
            guard let position = engine.position(ofPlacement: placement) else { continue }
            points.append(
                SceneDocument.Point(
                    id: placement.id, kind: "\(placement.kind.message)", name: placement.name, position: position))
        }
    }

    /// The route as GeoJSON.
    var routeText: String {
        SceneDocument.text(route: route == nil ? nil : (name: name, vertices: vertices), points: [])
    }

    /// The placements as GeoJSON.
    var placesText: String { SceneDocument.text(route: nil, points: points) }

    /// Whether placements were added or removed since another map, or one of them has moved.
    func hasMoved(from other: RecordedMap) -> Bool {
        guard points.count == other.points.count else { return true }
        return zip(points, other.points).contains { mine, theirs in
            mine.id != theirs.id || mine.name != theirs.name
                || (mine.position.latitudeDegrees - theirs.position.latitudeDegrees).magnitude > Self.minimumMove
                || (mine.position.longitudeDegrees - theirs.position.longitudeDegrees).magnitude > Self.minimumMove
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
