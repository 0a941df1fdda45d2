import Geometry
import Glibc
import Model
import Scene
import Testing

/// A wearer on a stage: a composer, and moments for wherever the wearer stands and looks.
struct Stage {
    let streets: Streets
    var composer = SceneComposer()
    var progress: RouteProgress?
    var generation: UInt32 = 1
    var readiness = FrameReadiness(state: .ready, reasons: [])
    /// Of the scene against the earth.
    var alignment = SceneAlignment(yaw: 0, translation: .zero)
    /// Nil hides the earth.
    var isLocalized = true
    var reasons = LimitingReasons()
    private var routes: UInt64 = 0

    init() throws { streets = try Streets() }

    /// Metres east and north of the streets' origin, the heading in degrees and the time in seconds.
    func moment(
        _ east: Double, _ north: Double, up: Double = 1.6, heading: Double = 0, pitch: Double = 0, at seconds: Double
    ) throws -> SceneMoment {
        let map = SceneMap(plane: streets.plane, alignment: alignment)
        let position = try #require(streets.plane.position(ofENU: Vector3(east, north, up)))
        let point = map.pointInScene(of: position)
        let yaw = -Angle.radians(degrees: heading) - alignment.yaw
        let rotation =
            Rotation3.exp(Vector3(0, yaw, 0)) * Rotation3.exp(Vector3(Angle.radians(degrees: pitch), 0, 0))
        let time = try #require(BootTime(seconds: 1000 + seconds))
        let pose = PoseEstimate(
            time: time, generation: generation, rotationSceneFromBody: rotation, positionInScene: point,
            velocityInScene: .zero, angularVelocityInBody: .zero,
            rotationENUFromBody: Rotation3.aboutZ(alignment.yaw) * Rotation3.exp(Vector3(.pi / 2, 0, 0)) * rotation,
            velocityENU: nil,
            geodetic: isLocalized ? position : nil, headingReference: .trueNorth,
            accuracy: PoseAccuracy(horizontal: 2, vertical: 3, yaw: 0.03), orientationTracking: .tracked,
            positionTracking: .tracked, state: .localized, reasons: reasons, sources: [])
        let viewpoint = Viewpoint(
            time: time, generation: generation, positionInScene: point, rotationSceneFromBody: rotation,
            velocityInScene: .zero, map: map, position: position, horizontalAccuracy: 2, yawStandardDeviation: 0.03)
        return SceneMoment(
            pose: pose, viewpoint: isLocalized ? viewpoint : nil, readiness: readiness, progress: progress)
    }

    mutating func scene(
        _ east: Double, _ north: Double, up: Double = 1.6, heading: Double = 0, at seconds: Double
    ) throws -> SceneContent {
        composer.compose(try moment(east, north, up: up, heading: heading, at: seconds))
    }

    /// Takes the place of the route before.
    mutating func follow(_ points: [(Double, Double)]?, id: String = "r", from east: Double = 0, _ north: Double = 0)
        throws
    {
        composer.routeChanged()
        guard let points else { return progress = nil }
        routes += 1
        var begun = RouteProgress(plan: try #require(RoutePlan(try streets.route(points, id: id))), sequence: routes)
        begun.update(position: try streets.position(east, north), horizontalAccuracy: 2)
        progress = begun
    }

    /// The route learns where the wearer is, as with each fix.
    mutating func fix(_ east: Double, _ north: Double) throws {
        progress?.update(position: try streets.position(east, north), horizontalAccuracy: 2)
    }

    mutating func place(_ anchor: Anchor, owner: UInt64 = 1) throws(AnchorProblem) {
        try composer.place(anchor, owner: owner, routeLength: progress?.length)
    }
}

extension Placement {
    /// Whether there is a number in all that is a number.
    var isFinite: Bool {
        let numbers =
            [displayDistance, billboardYaw, distance, size.angle, size.scale]
            + [bearing, alongRoute, sigma, course, slot?.elevation].compactMap { $0 }
        return position.isFinite && numbers.allSatisfy(\.isFinite) && path.allSatisfy { $0.position.isFinite }
    }
}

extension SceneView {
    /// What is sent of a scene; it must be something.
    mutating func sent(_ scene: SceneContent, _ settings: SceneSettings.Placements = SceneSettings().placements) throws
        -> SceneUpdate
    {
        let update = update(to: scene, settings: settings)
        return try #require(update)
    }
}

/// What a subscriber knows who applies what it is sent.
struct Follower {
    private(set) var placements: [String: ViewedPlacement] = [:]
    private(set) var revision: UInt64 = 0
    private(set) var updates = 0

    mutating func take(_ update: SceneUpdate) {
        #expect(update.revision == revision + 1)
        revision = update.revision
        updates += 1
        if update.isSnapshot { placements = [:] }
        for id in update.removed { #expect(placements.removeValue(forKey: id) != nil, "\(id) was not there") }
        for viewed in update.changed {
            #expect(viewed.revision == update.revision)
            placements[viewed.placement.id] = viewed
        }
    }

    /// Whether what is known is the scene, but for what is not worth sending.
    func agrees(with content: SceneContent) -> Bool {
        placements.count == content.placements.count
            && content.placements.allSatisfy { placement in
                placements[placement.id].map {
                    !PlacementChange.isWorthSending(placement, after: $0.placement)
                } ?? false
            }
    }
}
