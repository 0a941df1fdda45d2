import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Successive poses that share a base and a context.
struct PoseRun: Sendable {
    let generation: UInt32
    /// Number of knots after the first.
    var following: UInt16 = 0
    let base: PoseBase
    let context: PoseContext
    /// Sequence numbers of its first pose and of the pose in its last knot, counted from the first pose ever.
    let firstSequence: UInt64
    var lastSequence: UInt64
    /// Number of its first knot, counted from the first knot ever.
    let firstKnot: Int

    @inline(__always)
    init(_ pose: PoseEstimate, sequence: UInt64, firstKnot: Int) {
        generation = pose.generation
        base = PoseBase(time: pose.time, position: pose.positionInScene, velocity: pose.velocityInScene)
        context = PoseContext(pose)
        firstSequence = sequence
        lastSequence = sequence
        self.firstKnot = firstKnot
    }

    /// Number of its last knot.
    var lastKnot: Int { firstKnot + Int(following) }

    /// Sequence number of the pose in a knot. Approximate where poses came faster than they are kept.
    func sequence(ofKnot number: Int) -> UInt64 {
        guard following > 0 else { return firstSequence }
        return firstSequence + (lastSequence - firstSequence) * UInt64(number - firstKnot) / UInt64(following)
    }
}

/// Slowly changing part of a pose: alignment of the scene, accuracies and states.
struct PoseContext: Sendable {
    private let geodetic: GeodeticPosition?
    private let rotationENUFromScene: SmallRotation
    private let accuracy: SmallAccuracy
    private let reasons: LimitingReasons
    /// Cosine of the latitude.
    private let cosine: Float
    private let motionProbability: Float
    private let sources: AidingSources
    private let motion: Motion?
    private let headingReference: HeadingReference
    private let orientationTracking: TrackingQuality
    private let positionTracking: TrackingQuality
    private let state: TrackingState

    /// Largest errors of place, direction and accuracies under a context before another one begins. Units: metres,
    /// radians, 1.
    private static let farthest = 0.05
    private static let largestTurn = 2e-3
    private static let accuracyShare: Float = 0.15
    /// Length of a degree of latitude, and largest relative error of using it everywhere on earth. Units: metres, 1.
    private static let degree = 111_132.0
    private static let degreeShare = 0.006

    @inline(__always)
    init(_ pose: PoseEstimate) {
        geodetic = pose.geodetic
        rotationENUFromScene = SmallRotation(pose.rotationENUFromScene)
        accuracy = SmallAccuracy(pose.accuracy)
        reasons = pose.reasons
        cosine = Float(cos((pose.geodetic?.latitudeDegrees ?? 0) * .pi / 180))
        sources = pose.sources
        motion = pose.motion?.kind
        motionProbability = Float(pose.motion?.probability ?? 0)
        headingReference = pose.headingReference
        orientationTracking = pose.orientationTracking
        positionTracking = pose.positionTracking
        state = pose.state
    }

    /// Whether the context no longer describes a later pose.
    ///
    /// - Parameter base: base of the run, the pose with which this context began.
    @inline(__always)
    func isOutdated(by pose: PoseEstimate, since base: PoseBase) -> Bool {
        guard reasons == pose.reasons, sources == pose.sources, motion == pose.motion?.kind, state == pose.state,
            headingReference == pose.headingReference, orientationTracking == pose.orientationTracking,
            positionTracking == pose.positionTracking
        else { return true }
        return accuracy.differs(from: pose.accuracy, share: Self.accuracyShare) || hasTurned(pose)
            || hasMoved(pose, since: base)
    }

    @inline(__always)
    private func hasTurned(_ pose: PoseEstimate) -> Bool {
        let turn = pose.rotationENUFromScene * rotationENUFromScene.rotation.inverse
        // The vector part of the quaternion of a small rotation is half of it.
        return Vector3(turn.x, turn.y, turn.z).squaredNorm > 0.25 * Self.largestTurn * Self.largestTurn
    }

    /// Whether the geodetic position has moved otherwise than that in the scene.
    @inline(__always)
    private func hasMoved(_ pose: PoseEstimate, since base: PoseBase) -> Bool {
        guard let geodetic, let now = pose.geodetic else { return (geodetic == nil) != (pose.geodetic == nil) }
        let way = rotationENUFromScene.rotation * (pose.positionInScene - base.position)
        let east = (now.longitudeDegrees - geodetic.longitudeDegrees) * Self.degree * Double(cosine) - way.x
        let north = (now.latitudeDegrees - geodetic.latitudeDegrees) * Self.degree - way.y
        let up = now.ellipsoidalHeight - geodetic.ellipsoidalHeight - way.z
        let farthest = Self.farthest + Self.degreeShare * way.norm
        return max(east.magnitude, north.magnitude, up.magnitude) > farthest
    }

    /// Pose of a moment under this context.
    ///
    /// - Parameter base: base of the run, the pose with which this context began.
    func pose(at moment: PoseMoment, generation: UInt32, since base: PoseBase) -> PoseEstimate {
        let rotation = rotationENUFromScene.rotation
        let way = rotation * (moment.position - base.position)
        return PoseEstimate(
            time: moment.time, generation: generation, rotationSceneFromBody: moment.rotationSceneFromBody,
            positionInScene: moment.position, velocityInScene: moment.velocity, angularVelocityInBody: moment.rate,
            rotationENUFromBody: rotation * moment.rotationSceneFromBody,
            velocityENU: geodetic == nil ? nil : rotation * moment.velocity,
            geodetic: geodetic.map { LocalTangentPlane(origin: $0).position(ofENU: way) ?? $0 },
            headingReference: headingReference, accuracy: accuracy.accuracy,
            orientationTracking: orientationTracking, positionTracking: positionTracking, state: state,
            reasons: reasons, sources: sources,
            motion: motion.map { MotionEstimate(kind: $0, probability: Double(motionProbability)) })
    }
}

extension PoseEstimate {
    @inline(__always)
    fileprivate var rotationENUFromScene: Rotation3 { rotationENUFromBody * rotationSceneFromBody.inverse }
}

/// Rotation in single precision, to 0.1 µrad.
private struct SmallRotation: Sendable {
    let w: Float
    let x: Float
    let y: Float
    let z: Float

    @inline(__always)
    init(_ rotation: Rotation3) {
        (w, x, y, z) = (Float(rotation.w), Float(rotation.x), Float(rotation.y), Float(rotation.z))
    }

    @inline(__always)
    var rotation: Rotation3 {
        Rotation3(w: Double(w), x: Double(x), y: Double(y), z: Double(z)) ?? .identity
    }
}

/// Accuracies in 24 bytes, where −1 stands for unknown.
private struct SmallAccuracy: Sendable {
    let horizontal: Float
    let vertical: Float
    let yaw: Float
    let velocityHorizontal: Float
    let velocityVertical: Float
    let angularVelocity: Float

    @inline(__always)
    init(_ accuracy: PoseAccuracy) {
        horizontal = Self.small(accuracy.horizontal)
        vertical = Self.small(accuracy.vertical)
        yaw = Self.small(accuracy.yaw)
        velocityHorizontal = Self.small(accuracy.velocityHorizontal)
        velocityVertical = Self.small(accuracy.velocityVertical)
        angularVelocity = Self.small(accuracy.angularVelocity)
    }

    var accuracy: PoseAccuracy {
        PoseAccuracy(
            horizontal: Self.known(horizontal), vertical: Self.known(vertical), yaw: Self.known(yaw),
            velocityHorizontal: Self.known(velocityHorizontal), velocityVertical: Self.known(velocityVertical),
            angularVelocity: Self.known(angularVelocity))
    }

    /// Whether an accuracy differs by more than a share of it.
    @inline(__always)
    func differs(from other: PoseAccuracy, share: Float) -> Bool {
        Self.differs(horizontal, other.horizontal, share) || Self.differs(vertical, other.vertical, share)
            || Self.differs(yaw, other.yaw, share)
            || Self.differs(velocityHorizontal, other.velocityHorizontal, 2 * share)
    }

    @inline(__always)
    private static func differs(_ kept: Float, _ now: Double?, _ share: Float) -> Bool {
        (small(now) - kept).magnitude > share * kept.magnitude
    }

    @inline(__always)
    private static func small(_ accuracy: Double?) -> Float { accuracy.map { Float($0) } ?? -1 }

    private static func known(_ accuracy: Float) -> Double? { accuracy < 0 ? nil : Double(accuracy) }
}
