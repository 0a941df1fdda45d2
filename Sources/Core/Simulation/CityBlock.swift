import Geometry
import Scene

/// Built-in city scene: a route round a few houses, a way back to its start, and places along the way.
struct CityBlock {
    let plane: LocalTangentPlane
    let route: Route
    let places: [Place]
    let path: WalkPath

    /// Height of the eyes above the ground. Unit: metres.
    static let eyeHeight = 1.6
    /// Distance before and after a corner's vertex over which the corner is rounded. Unit: metres.
    private static let cornerReach = 4.0
    /// Bearing of the first street, clockwise from true north, so that no street is parallel to an axis. Unit: radians.
    private static let streetBearing = 0.4

    /// Corners of the path, given as distances to the right of the first street and along it. Unit: metres.
    private static let corners: [(right: Double, ahead: Double)] = [
        (0, 0), (0, 48), (74, 48), (74, 118), (-32, 126), (-32, 190), (112, 190), (112, 12), (60, -38), (0, -38),
    ]

    private static let landmarks: [(id: String, name: String, kind: String, right: Double, ahead: Double)] = [
        ("cafe", "Corner Café", "cafe", -9, 52),
        ("pharmacy", "Pharmacy", "pharmacy", 40, 56),
        ("tram-stop", "Tram Stop Market", "stop", 82, 96),
        ("bakery", "Bakery", "bakery", 20, 114),
        ("library", "City Library", "library", -44, 160),
        ("bridge", "Mill Bridge", "bridge", 60, 200),
        ("park", "Station Park", "park", 130, 100),
        ("post", "Post Office", "post", 98, -22),
        ("fountain", "Fountain", "fountain", -6, -44),
    ]

    init(origin: GeodeticPosition) {
        let plane = LocalTangentPlane(origin: origin)
        self.plane = plane
        let vertices = Self.corners.map { Self.point(right: $0.right, ahead: $0.ahead) }
        path = WalkPath(vertices: vertices, reach: Self.cornerReach)
        route = Route(
            id: "city-walk", name: "Old Town", vertices: vertices.map { Self.position($0, on: plane) })
        places = Self.landmarks.map {
            Place(
                id: $0.id, name: $0.name, kind: $0.kind,
                position: Self.position(Self.point(right: $0.right, ahead: $0.ahead), on: plane))
        }
    }

    /// Distance along the path at which the walk starts, behind the first corner. Unit: metres.
    var start: Double { path.reach }

    /// Stretches of one round, with random paces and pauses. They end at two crossings, at the destination and back at
    /// the start.
    func stretches(_ random: inout RandomSource) -> [WalkPace.Stretch] {
        let shares = [0.29, 0.63, 0.94, 1.0]
        var covered = 0.0
        return shares.map { share in
            let length = share * path.length - covered
            covered += length
            return WalkPace.Stretch(
                length: length, speed: random.uniform(in: 1.15...1.45), pause: random.uniform(in: 6...16))
        }
    }

    private static func point(right: Double, ahead: Double) -> Vector2 {
        Vector2(right: right, ahead: ahead, bearing: streetBearing)
    }

    private static func position(_ point: Vector2, on plane: LocalTangentPlane) -> GeodeticPosition {
        guard let position = plane.position(ofENU: Vector3(point.x, point.y, 0)) else {
            preconditionFailure("a finite point has a position")
        }
        return position
    }
}
