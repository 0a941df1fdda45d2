import Documents
import Geometry
import Messages
import Model
import WaymarkInterface

/// Route and placements as GeoJSON, as in recordings. Only fixed objects are included, and no moving arrows.
package enum FoxgloveMap {
    /// Maximum number of a route's vertices that are drawn. If a route has more, it is decimated.
    package static let maximumVertexCount = 50_000

    /// The route as GeoJSON. The document is empty if there is no route.
    package static func route(_ name: String, _ vertices: [SceneInterface.RouteVertex]) -> String {
        let step = max(1, (vertices.count + maximumVertexCount - 1) / maximumVertexCount)
        var positions = stride(from: 0, to: vertices.count, by: step).compactMap { position(vertices[$0]) }
        if step > 1, let last = vertices.last.flatMap(position) { positions.append(last) }
        return SceneDocument.text(route: (name: name, vertices: positions), points: [])
    }

    private static func position(_ vertex: SceneInterface.RouteVertex) -> GeodeticPosition? {
        GeodeticPosition(
            latitudeDegrees: vertex.latitude, longitudeDegrees: vertex.longitude, ellipsoidalHeight: 0)
    }

    /// Positions of the placements on the earth; nil while the scene's alignment is unknown.
    package static func places(
        _ placements: some Collection<SceneInterface.Placement>, by frame: PoseInterface.Frame
    ) -> [SceneDocument.Point]? {
        guard let origin = frame.origin.flatMap({ GeodeticPosition($0) }) else { return nil }
        let plane = LocalTangentPlane(origin: origin)
        let standing = placements.filter { $0.stands && $0.lock == .scene }.sorted { $0.id < $1.id }
        return standing.compactMap { placement in
            plane.position(ofENU: pointENU(placement.position, by: frame.published)).map {
                SceneDocument.Point(
                    id: placement.id, kind: placement.kind.description, name: placement.name ?? "", position: $0)
            }
        }
    }

    /// Converts a point of the scene to the local tangent plane. Unit: metres.
    private static func pointENU(_ point: SceneInterface.Vector, by frame: PoseInterface.Alignment) -> Vector3 {
        let turn = Rotation3.aboutZ(Angle.radians(degrees: frame.yaw))
        // The scene's X, Y and Z are east, up and south.
        return turn * Vector3(point.x, -point.z, point.y) + Vector3(frame.east, frame.north, frame.up)
    }

    /// Motion below which the map is not updated. The published alignment follows the estimate all the time, by
    /// centimetres. Unit: degrees, some 5 m of latitude.
    private static let minimumMove = 5e-5

    /// Whether the set of placements has changed, or a placement has moved.
    static func hasMoved(_ points: [SceneDocument.Point], from before: [SceneDocument.Point]) -> Bool {
        guard points.count == before.count else { return true }
        return zip(points, before).contains { now, then in
            now.id != then.id || now.name != then.name
                || (now.position.latitudeDegrees - then.position.latitudeDegrees).magnitude > minimumMove
                || (now.position.longitudeDegrees - then.position.longitudeDegrees).magnitude > minimumMove
        }
    }
}

extension SceneInterface.Placement {
    fileprivate var stands: Bool {
        switch kind.known {
        case .place, .start, .turn, .destination, .anchor: true
        case .cluster, .route, .arrow, .node, nil: false
        }
    }
}
