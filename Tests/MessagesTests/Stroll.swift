import Geometry
import Glibc
import Model
import Scene
import Testing

/// A wearer who goes round a block along a route, among 240 places: head and body sway, and the relation of scene and
/// earth still moves.
struct Stroll {
    static let seconds = 60.0
    static let rate = 60.0

    let plane: LocalTangentPlane
    private let speed: Double
    private let mapSpeed: Double
    private var composer = SceneComposer()
    private(set) var progress: RouteProgress

    /// Units: m/s.
    ///
    /// - Parameter hasInstructions: whether the turns have words of a routing service.
    init(speed: Double, mapSpeed: Double, hasInstructions: Bool = false) throws {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: 47.4, longitudeDegrees: 8.5, ellipsoidalHeight: 400))
        plane = LocalTangentPlane(origin: origin)
        (self.speed, self.mapSpeed) = (speed, mapSpeed)
        let plane = plane
        let corners = [(0.0, 0.0), (0, 50), (120, 50), (120, -60)]
        let vertices = try corners.map { try #require(plane.position(ofENU: Vector3($0.0, $0.1, 0))) }
        let turns = vertices[1...2].map { RouteManeuver(position: $0, kind: .turn, angle: .pi / 2, text: "Turn") }
        let route = Route(id: "r", name: "Home", vertices: vertices, maneuvers: hasInstructions ? turns : [])
        progress = RouteProgress(plan: try #require(RoutePlan(route)), sequence: 1)
        // Spread evenly, without any order.
        composer.setPlaces(
            try (0..<240).map { number in
                let (east, north) = (Double(number * 127 % 241) - 120, Double(number * 59 % 239) - 120)
                let position = try #require(plane.position(ofENU: Vector3(4 * east, 4 * north, 0)))
                return Place(
                    id: "node/\(number)", name: "Café \(number)", kind: "cafe", position: position,
                    tags: ["addr:street": "Mill Street", "opening_hours": "Mo-Fr 08:00-18:30"])
            })
    }

    mutating func scene(_ frame: Int) throws -> SceneContent {
        let seconds = Double(frame) / Self.rate
        let steps = speed > 0 ? 2 * Double.pi * 1.9 * seconds : 0
        let distance = speed * seconds
        let (east, north, course) =
            distance < 50 ? (0, distance, 0) : (distance - 50, 50, min(90, 60 * (distance - 50)))
        let up = 1.6 + (speed > 0 ? 0.025 : 0) * sin(steps)
        let position = try #require(plane.position(ofENU: Vector3(east, north, up)))
        let sway = speed > 0 ? 1.0 : 0.05
        let yaw = Angle.radians(degrees: 3 * sway * sin(steps / 2) - course)
        let pitch = Angle.radians(degrees: 1.5 * sway * sin(steps))
        let roll = Angle.radians(degrees: sway * sin(steps / 2))
        let rotation =
            Rotation3.exp(Vector3(0, yaw, 0)) * Rotation3.exp(Vector3(pitch, 0, 0))
            * Rotation3.exp(Vector3(0, 0, roll))
        let alignment = SceneAlignment(yaw: 0.001 * mapSpeed * seconds, translation: Vector3(mapSpeed * seconds, 0, 0))
        let map = SceneMap(plane: plane, alignment: alignment)
        let point = map.pointInScene(of: position)
        let time = try #require(BootTime(seconds: 1000 + seconds))
        let accuracy = 2 + 0.3 * sin(seconds)
        if frame % 60 == 0 { progress.update(position: position, horizontalAccuracy: accuracy) }
        let pose = PoseEstimate(
            time: time, generation: 1, rotationSceneFromBody: rotation, positionInScene: point,
            velocityInScene: .zero, angularVelocityInBody: .zero,
            rotationENUFromBody: Rotation3.exp(Vector3(.pi / 2, 0, 0)) * rotation, velocityENU: nil,
            geodetic: position, headingReference: .trueNorth,
            accuracy: PoseAccuracy(horizontal: accuracy, vertical: 3, yaw: 0.03), orientationTracking: .tracked,
            positionTracking: .tracked, state: .localized, reasons: [], sources: [])
        let viewpoint = Viewpoint(
            time: time, generation: 1, positionInScene: point, rotationSceneFromBody: rotation,
            velocityInScene: .zero, map: map, position: position, horizontalAccuracy: accuracy,
            yawStandardDeviation: 0.03)
        return composer.compose(
            SceneMoment(
                pose: pose, viewpoint: viewpoint, readiness: FrameReadiness(state: .ready, reasons: []),
                progress: progress, utcSeconds: 1_782_043_200 + seconds))
    }
}

extension Stroll {
    /// Status of the route with the wearer there. Unit: metres.
    func status(east: Double, north: Double) throws -> RouteStatus {
        var progress = progress
        progress.update(
            position: try #require(plane.position(ofENU: Vector3(east, north, 0))), horizontalAccuracy: 2)
        return RouteStatus(progress)
    }
}
