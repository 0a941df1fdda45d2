import Geodesy
import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// The wearer's eye, and the way from it to the things of one scene.
struct Outlook {
    let pose: PoseEstimate
    /// At the level of the eyes.
    private(set) var viewpoint: Viewpoint?
    let settings: SceneSettings.Placements

    /// - Parameter eyeLevel: of the wearer without the bobbing of the walk. Frame: scene. Unit: metres.
    init(_ moment: SceneMoment, eyeLevel: Double, settings: SceneSettings.Placements) {
        pose = moment.pose
        viewpoint = moment.viewpoint
        viewpoint?.positionInScene.y = eyeLevel
        self.settings = settings
    }

    /// Frame: scene. Unit: metres.
    var eye: Vector3 { pose.positionInScene }

    /// Clockwise from true north; nil while that is not known, and at the very place. Frame of `point`: scene. Unit: radians.
    func bearing(of point: Vector3) -> Double? { viewpoint?.map.bearing(ofScene: point - eye) }

    /// Something that is fixed to the scene. Frame of `point`: scene.
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

    /// Something that is fixed to the earth, and so no better placed than the scene is.
    func earthbound(
        _ kind: Placement.Kind, id: String, at point: Vector3, size policy: SizePolicy = .fading
    ) -> Placement {
        var placement = placement(kind, id: id, at: point, size: policy)
        placement.sigma = AngularSigma.radians(
            yawDeviation: viewpoint?.yawDeviation, horizontalAccuracy: viewpoint?.horizontalAccuracy,
            distance: placement.distance)
        return placement
    }

    /// Something that is fixed to the wearer's head. Frame of `point`: body.
    func headLocked(id: String, at point: Vector3, size policy: SizePolicy) -> Placement {
        let distance = point.norm
        var placement = Placement(
            id: id, kind: .anchor, position: point, displayDistance: distance,
            billboardYaw: Billboard.yaw(of: point, from: .zero), bearing: nil, distance: distance, sizePolicy: policy,
            size: ApparentSize.of(policy, distance: distance, settings: settings))
        placement.lock = .head
        return placement
    }

    /// The scene's point of a place on the earth, at a height of its kind. Frame: scene. Unit: metres.
    func point(of position: GeodeticPosition, height: PlacementHeight) -> Vector3? {
        viewpoint.map { $0.map.pointInScene(of: position, height: height, wearer: $0, settings: settings) }
    }

    /// How far a place on the earth may be off in the scene. Frame of `point`: scene.
    func doubt(of point: Vector3, height: PlacementHeight) -> AnchorDoubt {
        var doubt = AnchorDoubt(followsHeight: false)
        switch height {
        case .eyeRelative, .groundRelative: doubt.followsHeight = true
        case .ellipsoidal, .meanSeaLevel: doubt.vertical = pose.accuracy.vertical
        }
        guard let yaw = viewpoint?.yawDeviation, let accuracy = viewpoint?.horizontalAccuracy else { return doubt }
        let line = point - eye
        doubt.horizontal = hypot(accuracy / PoseAccuracy.radius68, hypot(line.x, line.z) * yaw)
        return doubt
    }

    /// About the scene's up, counter-clockwise from facing north (−z); nil while true north is not known. Unit: radians.
    ///
    /// - Parameter bearing: clockwise from true north, radians.
    func yaw(ofBearing bearing: Double) -> Double? {
        guard let map = viewpoint?.map else { return nil }
        let way = map.offset(bearing: bearing, distance: 1)
        return atan2(-way.x, -way.z)
    }

    /// A place on an arrow's way; nil while nothing on earth can be placed.
    func pathPoint(_ point: ArrowPoint) -> PathPoint? {
        guard let position = self.point(of: point.position, height: .groundRelative(0)),
            let course = yaw(ofBearing: point.bearing)
        else { return nil }
        return PathPoint(share: point.share, position: position, course: course)
    }
}
