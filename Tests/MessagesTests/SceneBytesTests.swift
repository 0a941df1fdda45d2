import Geodesy
import Geometry
import JSON
import Messages
import Model
import Scene
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("How much is sent of a scene") struct SceneBytesTests {
    private static let settings = SceneSettings()
    private static let camera = Camera(horizontalFieldOfView: Angle.radians(degrees: 60), aspect: 16.0 / 9)

    @Test("behaviour 40: a walk along a route among places is sent with at most 0.15 MB/s at 60 Hz")
    func walking() throws {
        let bytes = try bytes(of: try Stroll(speed: 1.3, mapSpeed: 0.03))
        #expect(bytes.first < 60_000)
        #expect(bytes.rest / Stroll.seconds < 150_000)
    }

    @Test("behaviour 40: at rest next to nothing is sent")
    func resting() throws {
        let bytes = try bytes(of: try Stroll(speed: 0, mapSpeed: 0))
        #expect(bytes.rest / Stroll.seconds < 2000)
    }

    /// Of the first message, and of all others together.
    private func bytes(of stroll: Stroll) throws -> (first: Double, rest: Double) {
        var stroll = stroll
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var reader = writer.view.newReader()
        var (first, rest) = (0.0, 0.0)
        for frame in 0..<Int(Stroll.seconds * Stroll.rate) {
            writer.follow(try stroll.scene(frame), settings: Self.settings.placements)
            let bytes = Double(writer.message(for: &reader)?.count ?? 0)
            if frame == 0 { first = bytes } else { rest += bytes }
        }
        return (first, rest)
    }

    @Test("behaviour 40: readers with the same wishes who read in time share what is written, whenever they came")
    func shared() throws {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0)
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var readers: [SceneReader] = []
        for frame in 0..<600 {
            // One more every tenth of a second, until there are 64: each is told all of the scene in a message of its own.
            if frame % 6 == 0, readers.count < 64 { readers.append(writer.view.newReader()) }
            writer.follow(try stroll.scene(frame), settings: Self.settings.placements)
            for index in readers.indices { _ = writer.message(for: &readers[index]) }
        }
        #expect(readers.allSatisfy { $0.revision > 100 })
        #expect(writer.count <= 600 + 64)
    }

    @Test("behaviour 40: what is written for all is to the byte what would have been written for one")
    func sharedIsTheSame() throws {
        var stroll = try Stroll(speed: 1.3, mapSpeed: 0)
        var writer = SceneWriter(SceneView(camera: Self.camera))
        var early = writer.view.newReader()
        var late: SceneReader?
        var json = JSONWriter()
        for frame in 0..<240 {
            writer.follow(try stroll.scene(frame), settings: Self.settings.placements)
            _ = writer.message(for: &early)
            if frame == 100 { late = writer.view.newReader() }
            guard var reader = late else { continue }
            let update = writer.view.update(for: reader)
            let message = writer.message(for: &reader)
            late = reader
            guard let message else { continue }
            json.removeAll()
            json.beginObject()
            json.key("scene")
            SceneMessage.write(try #require(update), into: &json)
            json.endObject()
            #expect(message == json.bytes, "frame \(frame)")
        }
        #expect(try #require(late).revision < early.revision)
    }
}

/// A wearer who goes round a block along a route, among 240 places: head and body sway, and the relation of scene and earth
/// still moves.
private struct Stroll {
    static let seconds = 60.0
    static let rate = 60.0

    private let plane: LocalTangentPlane
    private let speed: Double
    private let mapSpeed: Double
    private var composer = SceneComposer()
    private var progress: RouteProgress

    /// Units: m/s.
    init(speed: Double, mapSpeed: Double) throws {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: 47.4, longitudeDegrees: 8.5, ellipsoidalHeight: 400))
        plane = LocalTangentPlane(origin: origin)
        (self.speed, self.mapSpeed) = (speed, mapSpeed)
        let plane = plane
        let corners = [(0.0, 0.0), (0, 50), (120, 50), (120, -60)]
        let vertices = try corners.map { try #require(plane.position(ofENU: Vector3($0.0, $0.1, 0))) }
        progress = RouteProgress(
            plan: try #require(RoutePlan(Route(id: "r", name: "Home", vertices: vertices))), sequence: 1)
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
        let way = speed * seconds
        let (east, north, course) = way < 50 ? (0, way, 0) : (way - 50, 50, min(90, 60 * (way - 50)))
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
            velocityInScene: .zero, map: map, position: position, horizontalAccuracy: accuracy, yawDeviation: 0.03)
        return composer.compose(
            SceneMoment(
                pose: pose, viewpoint: viewpoint, readiness: FrameReadiness(state: .ready, reasons: []),
                progress: progress, utcSeconds: 1_782_043_200 + seconds))
    }
}
