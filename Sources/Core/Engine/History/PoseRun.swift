import Geometry
import Model

/// Successive poses that share a base and a context, which consists of scene alignment, accuracies and status.
///
/// Members are declared in the order of their memory alignment, so that a run takes 168 bytes.
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

    /// Limits within one context: largest error of position and of direction, and largest relative change of
    /// accuracies. Units: metres, radians, 1.
    private static let maximumError = 0.05
    private static let maximumTurn = 2e-3
    private static let accuracyShare: Float = 0.15
    /// Length of a degree of latitude, and the largest relative error that using it everywhere on earth causes. Units:
    /// metres, 1.
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

    var lastKnot: Int { firstKnot + Int(following) }

    /// Adds a knot for the pose with the given sequence number.
    @inline(__always)
    mutating func extend(to sequence: UInt64) {
        following += 1
        followingPoses = UInt32(truncatingIfNeeded: sequence &- firstSequence)
    }

    /// Returns the sequence number of a knot's pose. It is approximate if poses arrived faster than they are kept.
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
        // For a small rotation, the vector part of the quaternion is half the rotation vector.
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

    /// Returns the pose at a moment, using the context of the run.
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

/// Rotation in single precision, accurate to 0.1 µrad.
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

/// Accuracies in 24 bytes; −1 means unknown.
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

    /// Whether an accuracy has changed by more than the fraction `share` of its value.
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

/// Part of a pose that changes with every sample and is interpolated.
struct PoseMoment: Sendable {
    var time: BootTime
    /// Position of the body. Frame: scene. Unit: metres.
    var position: Vector3
    var rotationSceneFromBody: Rotation3
    /// Velocity of the body. Frame: scene. Unit: m/s.
    var velocity: Vector3
    /// Mean angular rate since the previous sample. Frame: body. Unit: rad/s.
    var rate: Vector3
}

/// Base of the knots of a run: the first pose of the run, extrapolated at constant velocity. The difference of a later
/// pose from the base fits into 16 bits.
struct PoseBase: Sendable {
    let time: BootTime
    /// Position of the body. Frame: scene. Unit: metres.
    let position: Vector3
    /// Velocity of the body. Frame: scene. Unit: m/s.
    let velocity: Vector3

    @inline(__always)
    func position(after seconds: Double) -> Vector3 { position + velocity * seconds }
}

/// Pose in 28 bytes, relative to the base of its run.
///
/// Largest rounding errors per axis: position 0.05 mm, orientation 0.004°, velocity 0.5 mm/s, angular velocity 0.3
/// mrad/s at 1 rad/s and less below.
struct PoseKnot: Sendable {
    /// The lower 30 bits hold the nanoseconds since the base. The upper two hold the index of the quaternion's largest
    /// component, which is not stored.
    private let packedTime: UInt32
    private let position: SmallVector
    private let rotation: SmallVector
    private let velocity: SmallVector
    private let rate: SmallVector

    /// The longest time since the base. Unit: nanoseconds.
    static let maximumNanoseconds: Int64 = 1 << 30 - 1
    /// Resolution of the stored components. Units: metres, m/s.
    private static let positionStep = 1e-4
    private static let velocityStep = 1e-3
    /// Upper limit of a stored rate. It exceeds every rate that the estimator accepts from a gyroscope. Unit: rad/s.
    private static let maximumRate = 82.0
    /// Resolution of a stored component of the quaternion. Only the largest component can exceed √½, and it is not
    /// stored.
    private static let rotationStep = 0.7072 / 32767

    /// Creates a knot; nil if the difference from the base in time, position or velocity does not fit.
    ///
    /// - Parameter nanoseconds: time from the base to the pose.
    @inline(__always)
    init?(_ pose: PoseEstimate, after nanoseconds: Int64, from base: PoseBase) {
        guard (0..<Self.maximumNanoseconds).contains(nanoseconds) else { return nil }
        let displacement = pose.positionInScene - base.position(after: Double(nanoseconds) * 1e-9)
        guard let position = SmallVector(displacement * (1 / Self.positionStep)),
            let velocity = SmallVector((pose.velocityInScene - base.velocity) * (1 / Self.velocityStep))
        else { return nil }
        self.position = position
        self.velocity = velocity
        rate = SmallVector(roots: pose.angularVelocityInBody, limit: Self.maximumRate)
        let largest = pose.rotationSceneFromBody.largestComponent
        rotation =
            SmallVector(pose.rotationSceneFromBody.others(than: largest) * (1 / Self.rotationStep)) ?? SmallVector()
        packedTime = UInt32(truncatingIfNeeded: nanoseconds) | UInt32(truncatingIfNeeded: largest) << 30
    }

    /// Time since the base. Unit: nanoseconds.
    var nanoseconds: Int64 { Int64(packedTime & (1 << 30 - 1)) }

    func moment(from base: PoseBase) -> PoseMoment {
        let others = rotation.vector * Self.rotationStep
        return PoseMoment(
            time: base.time.shifted(by: nanoseconds),
            position: base.position(after: Double(nanoseconds) * 1e-9) + position.vector * Self.positionStep,
            rotationSceneFromBody: Rotation3(largest: Int(packedTime >> 30), others: others),
            velocity: base.velocity + velocity.vector * Self.velocityStep,
            rate: rate.squares(limit: Self.maximumRate))
    }
}

private struct SmallVector: Sendable {
    var x: Int16 = 0
    var y: Int16 = 0
    var z: Int16 = 0

    init() {}

    /// Rounds each component to the nearest integer; nil beyond 16 bits, and for NaN.
    @inline(__always)
    init?(_ vector: Vector3) {
        guard vector.x.magnitude <= 32767, vector.y.magnitude <= 32767, vector.z.magnitude <= 32767 else { return nil }
        x = Self.nearest(vector.x)
        y = Self.nearest(vector.y)
        z = Self.nearest(vector.z)
    }

    /// Stores the signed square root of each component, limited to `limit`. Square roots make small numbers more
    /// precise than large ones.
    @inline(__always)
    init(roots vector: Vector3, limit: Double) {
        x = Self.root(vector.x, limit)
        y = Self.root(vector.y, limit)
        z = Self.root(vector.z, limit)
    }

    var vector: Vector3 { Vector3(Double(x), Double(y), Double(z)) }

    /// Inverts `init(roots:limit:)`.
    func squares(limit: Double) -> Vector3 {
        let scale = limit / (32767 * 32767)
        return Vector3(
            scale * Double(x) * Double(x.magnitude), scale * Double(y) * Double(y.magnitude),
            scale * Double(z) * Double(z.magnitude))
    }

    /// Rounds a number of magnitude up to 32767 by adding 1.5·2⁵², near which consecutive numbers differ by 1, and
    /// reading the last bits of the sum. The checks of a conversion would cost more than the rest of the function.
    @inline(__always)
    private static func nearest(_ number: Double) -> Int16 {
        Int16(truncatingIfNeeded: (number + 0x1.8p52).bitPattern)
    }

    @inline(__always)
    private static func root(_ number: Double, _ limit: Double) -> Int16 {
        // `min` returns the limit even for NaN.
        let root = (min(limit, number.magnitude) * (32767 * 32767 / limit)).squareRoot()
        return nearest(number < 0 ? -root : root)
    }
}

extension Rotation3 {
    /// Index of the largest component, in the order w, x, y, z.
    @inline(__always)
    fileprivate var largestComponent: Int {
        let (first, second) = (w.magnitude >= x.magnitude ? 0 : 1, y.magnitude >= z.magnitude ? 2 : 3)
        let (scalar, vector) = (max(w.magnitude, x.magnitude), max(y.magnitude, z.magnitude))
        return scalar >= vector ? first : second
    }

    /// Returns the other three components, in order, of the equivalent quaternion whose largest component is positive.
    @inline(__always)
    fileprivate func others(than largest: Int) -> Vector3 {
        switch largest {
        case 0: Vector3(x, y, z) * (w < 0 ? -1 : 1)
        case 1: Vector3(w, y, z) * (x < 0 ? -1 : 1)
        case 2: Vector3(w, x, z) * (y < 0 ? -1 : 1)
        default: Vector3(w, x, y) * (z < 0 ? -1 : 1)
        }
    }

    fileprivate init(largest: Int, others: Vector3) {
        let missing = max(0, 1 - others.squaredNorm).squareRoot()
        let found: Rotation3? =
            switch largest {
            case 0: Rotation3(w: missing, x: others.x, y: others.y, z: others.z)
            case 1: Rotation3(w: others.x, x: missing, y: others.y, z: others.z)
            case 2: Rotation3(w: others.x, x: others.y, y: missing, z: others.z)
            default: Rotation3(w: others.x, x: others.y, y: others.z, z: missing)
            }
        self = found ?? .identity
    }
}
