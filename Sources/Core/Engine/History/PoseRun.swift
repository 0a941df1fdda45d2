import Geometry
import Model

/// Successive poses that share a base and a context: alignment of the scene, accuracies and status.
///
/// Members are in the order of their alignment, so that a run takes 168 bytes.
struct PoseRun: Sendable {
    let base: PoseBase
    /// Sequence number of the first pose, counted from the first pose ever.
    let firstSequence: UInt64
    /// Number of the first knot of the run, counted from the first knot ever.
    let firstKnot: Int
    private let geodetic: GeodeticPosition?
    private let motion: Motion?
    /// Number of knots after the first one.
    var following: UInt16 = 0
    let generation: UInt32
    /// Number of poses after the first one up to the pose in the last knot.
    private var followingPoses: UInt32 = 0
    private let rotationENUFromScene: SmallRotation
    private let accuracy: SmallAccuracy
    private let motionProbability: Float
    private let status: PoseStatus

    /// Largest error of position and direction, and largest relative change of accuracies, under one context. Units:
    /// metres, radians, 1.
    private static let maximumError = 0.05
    private static let maximumTurn = 2e-3
    private static let accuracyShare: Float = 0.15
    /// Length of a degree of latitude, and largest relative error of using it everywhere on earth. Units: metres, 1.
    private static let degree = 111_132.0
    private static let degreeShare = 0.006

    @inline(__always)
    init(_ pose: PoseEstimate, sequence: UInt64, firstKnot: Int) {
        base = PoseBase(time: pose.time, position: pose.positionInScene, velocity: pose.velocityInScene)
        firstSequence = sequence
        self.firstKnot = firstKnot
        generation = pose.generation
        geodetic = pose.geodetic
        rotationENUFromScene = SmallRotation(pose.rotationENUFromScene)
        accuracy = SmallAccuracy(pose.accuracy)
        motion = pose.motion?.kind
        motionProbability = Float(pose.motion?.probability ?? 0)
        status = pose.status
    }

    /// Number of the last knot of the run.
    var lastKnot: Int { firstKnot + Int(following) }

    /// Adds a knot with the pose of a sequence number.
    @inline(__always)
    mutating func extend(to sequence: UInt64) {
        following += 1
        followingPoses = UInt32(truncatingIfNeeded: sequence &- firstSequence)
    }

    /// Sequence number of the pose in a knot. Approximate if poses came faster than they are kept.
    func sequence(ofKnot number: Int) -> UInt64 {
        guard following > 0 else { return firstSequence }
        return firstSequence + UInt64(followingPoses) * UInt64(number - firstKnot) / UInt64(following)
    }

    /// Whether the context no longer describes a later pose.
    ///
    /// - Parameter cosine: cosine of the latitude of the base.
    @inline(__always)
    func isOutdated(by pose: PoseEstimate, cosine: Float) -> Bool {
        guard status == pose.status, motion == pose.motion?.kind else { return true }
        return accuracy.differs(from: pose.accuracy, share: Self.accuracyShare) || hasTurned(pose)
            || hasMoved(pose, cosine: cosine)
    }

    @inline(__always)
    private func hasTurned(_ pose: PoseEstimate) -> Bool {
        let turn = pose.rotationENUFromScene * rotationENUFromScene.rotation.inverse
        // The vector part of the quaternion of a small rotation is half the rotation vector.
        return Vector3(turn.x, turn.y, turn.z).squaredNorm > 0.25 * Self.maximumTurn * Self.maximumTurn
    }

    /// Whether the geodetic position has moved differently from the position in the scene.
    @inline(__always)
    private func hasMoved(_ pose: PoseEstimate, cosine: Float) -> Bool {
        guard let geodetic, let now = pose.geodetic else { return (geodetic == nil) != (pose.geodetic == nil) }
        let displacement = rotationENUFromScene.rotation * (pose.positionInScene - base.position)
        let east = (now.longitudeDegrees - geodetic.longitudeDegrees) * Self.degree * Double(cosine) - displacement.x
        let north = (now.latitudeDegrees - geodetic.latitudeDegrees) * Self.degree - displacement.y
        let up = now.ellipsoidalHeight - geodetic.ellipsoidalHeight - displacement.z
        let maximumError = Self.maximumError + Self.degreeShare * displacement.norm
        return max(east.magnitude, north.magnitude, up.magnitude) > maximumError
    }

    /// Pose at a moment under the context of the run.
    func pose(at moment: PoseMoment) -> PoseEstimate {
        let rotation = rotationENUFromScene.rotation
        let displacement = rotation * (moment.position - base.position)
        var pose = PoseEstimate(
            time: moment.time, generation: generation, rotationSceneFromBody: moment.rotationSceneFromBody,
            positionInScene: moment.position, velocityInScene: moment.velocity, angularVelocityInBody: moment.rate,
            rotationENUFromBody: rotation * moment.rotationSceneFromBody,
            velocityENU: geodetic == nil ? nil : rotation * moment.velocity,
            geodetic: geodetic.map { LocalTangentPlane(origin: $0).position(ofENU: displacement) ?? $0 },
            accuracy: accuracy.accuracy,
            motion: motion.map { MotionEstimate(kind: $0, probability: Double(motionProbability)) })
        pose.status = status
        return pose
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

/// Accuracies in 24 bytes, with −1 for unknown.
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

    /// Whether an accuracy has changed by more than a share of it.
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
