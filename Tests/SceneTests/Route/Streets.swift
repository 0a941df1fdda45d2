import Geometry
import Scene
import Testing

/// Points of a test by metres east and north of an origin.
struct Streets {
    let plane: LocalTangentPlane

    init(latitude: Double = 47.4, longitude: Double = 8.5) throws {
        plane = LocalTangentPlane(
            origin: try #require(
                GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 400)))
    }

    func position(_ east: Double, _ north: Double) throws -> GeodeticPosition {
        try #require(plane.position(ofENU: Vector3(east, north, 0)))
    }

    func route(_ points: [(Double, Double)], id: String = "r") throws -> Route {
        Route(id: id, name: "Home", vertices: try points.map { try position($0.0, $0.1) })
    }

    func progress(_ points: [(Double, Double)]) throws -> RouteProgress {
        try #require(RouteProgress(route: try route(points)))
    }

    func place(_ id: String, _ east: Double, _ north: Double) throws -> Place {
        Place(id: id, name: id.uppercased(), kind: "cafe", position: try position(east, north))
    }
}
