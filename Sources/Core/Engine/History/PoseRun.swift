import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// Successive poses that share a base. A pose between them is the first pose, moved: accuracies, states and all other
/// members that neither a knot nor the motion gives are copied from the first pose.
struct PoseRun: Sendable {
    let generation: UInt32
    /// Number of knots after the first.
    var following: UInt16 = 0
    /// Sequence numbers of the run's first pose and of the pose in its last knot, counted from the first pose ever.
    let firstSequence: UInt64
    var lastSequence: UInt64
    /// Number of the run's first knot, counted from the first knot ever.
    let firstKnot: Int

    /// Largest errors of place, direction and accuracies in a run before another run begins. Units: metres, radians, 1.
    private static let maximumError = 0.05
    private static let maximumTurn = 2e-3
    private static let accuracyShare = 0.15
    /// Length of a degree of latitude, and largest relative error of using it everywhere on earth. Units: metres, 1.
    private static let degree = 111_132.0
    private static let degreeShare = 0.006

    init(_ pose: PoseEstimate, sequence: UInt64, firstKnot: Int) {
        generation = pose.generation
        base = PoseBase(time: pose.time, position: pose.positionInScene, velocity: pose.velocityInScene)
        context = PoseContext(pose)
        firstSequence = sequence
        lastSequence = sequence
        self.firstKnot = firstKnot
    }

    var base: PoseBase {
        PoseBase(time: first.time, position: first.positionInScene, velocity: first.velocityInScene)
    }

    /// Number of the run's last knot.
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

    /// Whether a later pose differs from the first in more than its motion, so that another run has to begin.
    func isOutdated(by pose: PoseEstimate) -> Bool {
        isOtherwise(pose) || haveChanged(pose.accuracy) || hasTurned(pose) || hasMoved(pose)
    }

    /// Whether a pose differs in a member that neither moves nor is an accuracy.
    private func isOtherwise(_ pose: PoseEstimate) -> Bool {
        var still = pose
        still.time = first.time
        still.rotationSceneFromBody = first.rotationSceneFromBody
        still.positionInScene = first.positionInScene
        still.velocityInScene = first.velocityInScene
        still.accelerationInScene = first.accelerationInScene
        still.angularVelocityInBody = first.angularVelocityInBody
        still.rotationENUFromBody = first.rotationENUFromBody
        still.velocityENU = first.velocityENU
        still.geodetic = first.geodetic
        still.accuracy = first.accuracy
        if let kept = first.motion { still.motion?.probability = kept.probability }
        return still != first
    }

    private func haveChanged(_ accuracy: PoseAccuracy) -> Bool {
        let kept = first.accuracy
        return Self.differs(kept.horizontal, accuracy.horizontal) || Self.differs(kept.vertical, accuracy.vertical)
            || Self.differs(kept.yaw, accuracy.yaw)
            || Self.differs(kept.velocityHorizontal, accuracy.velocityHorizontal, 2 * Self.accuracyShare)
    }

    /// Whether an accuracy differs by more than a share of its value; −1 stands for an unknown accuracy.
    private static func differs(_ kept: Double?, _ now: Double?, _ share: Double = accuracyShare) -> Bool {
        ((now ?? -1) - (kept ?? -1)).magnitude > share * (kept ?? -1).magnitude
    }

    @inline(__always)
    private func hasTurned(_ pose: PoseEstimate) -> Bool {
        let turn = pose.rotationENUFromScene * first.rotationENUFromScene.inverse
        // The vector part of the quaternion of a small rotation is half the rotation vector.
        return Vector3(turn.x, turn.y, turn.z).squaredNorm > 0.25 * Self.maximumTurn * Self.maximumTurn
    }

    /// Whether the geodetic position has moved differently from the scene position.
    private func hasMoved(_ pose: PoseEstimate) -> Bool {
        guard let then = first.geodetic, let now = pose.geodetic else {
            return (first.geodetic == nil) != (pose.geodetic == nil)
        }
        let displacement = first.rotationENUFromScene * (pose.positionInScene - first.positionInScene)
        let degreeOfLongitude = Self.degree * cos(then.latitudeDegrees * .pi / 180)
        let east = (now.longitudeDegrees - then.longitudeDegrees) * degreeOfLongitude - displacement.x
        let north = (now.latitudeDegrees - then.latitudeDegrees) * Self.degree - displacement.y
        let up = now.ellipsoidalHeight - then.ellipsoidalHeight - displacement.z
        let maximum = Self.maximumError + Self.degreeShare * displacement.norm
        return max(east.magnitude, north.magnitude, up.magnitude) > maximum
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
