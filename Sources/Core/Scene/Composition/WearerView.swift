import Geometry
import Glibc
import Model

/// View from the wearer's eye. It converts objects that are fixed to the earth, the scene or the head into placements.
struct WearerView {
    let pose: PoseEstimate
    /// Viewpoint at the low-pass filtered height of the eyes; nil while the position is unknown.
    private(set) var viewpoint: Viewpoint?
    let surroundings: Surroundings
    let settings: SceneSettings.Placements

    /// - Parameter eyeLevel: height of the wearer's eyes without the vertical motion of walking. Frame: scene. Unit:
    ///   metres.
    init(_ moment: SceneMoment, eyeLevel: Double, surroundings: Surroundings, settings: SceneSettings.Placements) {
        pose = moment.pose
        viewpoint = moment.viewpoint
        viewpoint?.positionInScene.y = eyeLevel
        self.surroundings = surroundings
        self.settings = settings
    }

    /// Position of the wearer. Frame: scene. Unit: metres.
    var eye: Vector3 { pose.positionInScene }

    /// Returns the bearing of a point, clockwise from true north; nil if north is unknown or the point is at the
    /// wearer's position. Frame of `point`: scene. Unit: radians.
    func bearing(of point: Vector3) -> Double? { viewpoint?.map.bearing(ofScene: point - eye) }

    /// Makes a placement fixed to the scene. Frame of `point`: scene. Unit: metres.
    func placement(
        _ kind: Placement.Kind, id: String, at point: Vector3, size policy: SizePolicy = .fading
    ) -> Placement {
        let distance = (point - eye).norm
        return Placement(
            id: id, kind: kind, position: point,
            displayDistance: DisplayDistance.metres(for: distance, settings: settings),
            billboardYaw: Billboard.yaw(of: point, from: eye), bearing: bearing(of: point), distance: distance,
            sizePolicy: policy, size: ApparentSize.of(policy, distance: distance, settings: settings))
    }

    /// Makes a placement fixed to the earth, with the angular uncertainty that the scene's alignment causes.
    func earthbound(
        _ kind: Placement.Kind, id: String, at point: Vector3, size policy: SizePolicy = .fading
    ) -> Placement {
        var placement = placement(kind, id: id, at: point, size: policy)
        placement.sigma = AngularSigma.radians(
            yawStandardDeviation: viewpoint?.yawStandardDeviation, horizontalAccuracy: viewpoint?.horizontalAccuracy,
            distance: placement.distance)
        return placement
    }

    /// Makes a placement fixed to the wearer's head. Frame of `point`: body. Unit: metres.
    func headLocked(id: String, at point: Vector3, size policy: SizePolicy) -> Placement {
        let distance = point.norm
        var placement = Placement(
            id: id, kind: .anchor, position: point, displayDistance: distance,
            billboardYaw: Billboard.yaw(of: point, from: .zero), bearing: nil, distance: distance, sizePolicy: policy,
            size: ApparentSize.of(policy, distance: distance, settings: settings))
        placement.lock = .head
        return placement
    }

    /// Returns the point in the scene for a geodetic position at a height; nil while the wearer's position is unknown.
    /// Frame: scene. Unit: metres.
    func point(of position: GeodeticPosition, height: PlacementHeight) -> Vector3? {
        viewpoint.map {
            $0.map.pointInScene(
                of: position, height: height, wearer: $0, surroundings: surroundings, settings: settings)
        }
    }

    /// Returns the uncertainty of the point in the scene at which the map puts a geodetic position. Frame of `point`:
    /// scene. Unit: metres.
    func uncertainty(of point: Vector3, height: PlacementHeight) -> AnchorUncertainty {
        var uncertainty = AnchorUncertainty(followsHeight: false)
        switch height {
        case .unstated, .eyeRelative, .groundRelative, .roofRelative: uncertainty.followsHeight = true
        case .ellipsoidal, .meanSeaLevel: uncertainty.vertical = pose.accuracy.vertical
        }
        guard let yaw = viewpoint?.yawStandardDeviation, let accuracy = viewpoint?.horizontalAccuracy else {
            return uncertainty
        }
        let line = point - eye
        uncertainty.horizontal = hypot(accuracy / PoseAccuracy.radius68, hypot(line.x, line.z) * yaw)
        return uncertainty
    }

    /// Returns the yaw about the scene's up axis, counter-clockwise from facing north (−z); nil while true north is
    /// unknown. Unit: radians.
    ///
    /// - Parameter bearing: bearing clockwise from true north in radians.
    func yaw(ofBearing bearing: Double) -> Double? {
        guard let map = viewpoint?.map else { return nil }
        let offset = map.offset(bearing: bearing, distance: 1)
        return atan2(-offset.x, -offset.z)
    }

    /// Returns a point of an arrow's path; nil while the wearer's position is unknown.
    func pathPoint(_ point: ArrowPoint) -> PathPoint? {
        guard let position = self.point(of: point.position, height: .groundRelative(0)),
            let course = yaw(ofBearing: point.bearing)
        else { return nil }
        return PathPoint(share: point.share, position: position, course: course)
    }
}

/// Low-pass filtered height of the wearer's eyes, without the vertical motion of walking. Placements whose height is
/// relative to the eyes use it.
struct EyeLevel {
    private var level: Double?
    private var generation: UInt32?
    private var time: BootTime?

    /// Time constant. Steps come twice a second and are filtered out, while slopes and stairs are followed to a few
    /// decimetres. Unit: seconds.
    private static let smoothing = 1.0
    /// Difference that counts as a jump rather than walking. The filter then starts again. Unit: metres.
    private static let jump = 3.0

    /// Adds a new height, and returns the filtered height. Frame: scene. Unit: metres.
    mutating func update(height: Double, generation: UInt32, at now: BootTime) -> Double {
        guard let level, let time, self.generation == generation, (level - height).magnitude < Self.jump else {
            (self.level, self.generation, self.time) = (height, generation, now)
            return height
        }
        let passed = max(0, now.seconds(since: time))
        let next = level + (1 - exp(-passed / Self.smoothing)) * (height - level)
        (self.level, self.time) = (next, now)
        return next
    }
}
