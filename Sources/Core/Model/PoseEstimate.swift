import Geometry

import Glibc

/// Pose of the body at one instant, with 68 % accuracies. The members of `status` are accessible as members of the
/// pose.
@dynamicMemberLookup
public struct PoseEstimate: Hashable, Sendable {
    /// Time of the pose.
    public var time: BootTime
    /// Number of the scene frame. Placements with another number were made for another frame and are invalid.
    public var generation: UInt32
    /// Rotation of the body. Frame: scene (X east, Y up, Z south; continuous) from body (x right, y up, z towards the
    /// wearer).
    public var rotationSceneFromBody: Rotation3
    /// Position of the body. Frame: scene. Unit: metres.
    public var positionInScene: Vector3
    /// Velocity of the body. Frame: scene. Unit: m/s.
    public var velocityInScene: Vector3
    /// Acceleration without gravity. Frame: scene. Unit: m/s².
    public var accelerationInScene: Vector3
    /// Mean angular velocity since the previous sample, bias removed. Frame: body. Unit: rad/s.
    public var angularVelocityInBody: Vector3
    /// Rotation from the body to ENU. It is relative to true north if `headingReference` is `.trueNorth`.
    public var rotationENUFromBody: Rotation3
    /// Velocity of the body. Frame: east, north, up. Unit: m/s.
    public var velocityENU: Vector3?
    /// Position on the earth; nil until a fix has determined it.
    public var geodetic: GeodeticPosition?
    /// Accuracies (68 %).
    public var accuracy: PoseAccuracy
    /// Most probable kind of motion; nil while the inertial sensors are silent.
    public var motion: MotionEstimate?
    /// Members that rarely change.
    public var status = PoseStatus()

    /// Makes a pose. A value that is omitted is unknown.
    @inlinable
    public init(
        time: BootTime, generation: UInt32, rotationSceneFromBody: Rotation3, positionInScene: Vector3,
        velocityInScene: Vector3, accelerationInScene: Vector3 = .zero, angularVelocityInBody: Vector3,
        rotationENUFromBody: Rotation3, velocityENU: Vector3?, geodetic: GeodeticPosition?,
        headingReference: HeadingReference = .none, accuracy: PoseAccuracy,
        orientationTracking: TrackingQuality = .invalid, positionTracking: TrackingQuality = .invalid,
        state: TrackingState = .initializing, reasons: LimitingReasons = [], sources: AidingSources = [],
        motion: MotionEstimate? = nil
    ) {
        self.time = time
        self.generation = generation
        self.rotationSceneFromBody = rotationSceneFromBody
        self.positionInScene = positionInScene
        self.velocityInScene = velocityInScene
        self.accelerationInScene = accelerationInScene
        self.angularVelocityInBody = angularVelocityInBody
        self.rotationENUFromBody = rotationENUFromBody
        self.velocityENU = velocityENU
        self.geodetic = geodetic
        self.accuracy = accuracy
        self.motion = motion
        status.headingReference = headingReference
        status.orientationTracking = orientationTracking
        status.positionTracking = positionTracking
        status.state = state
        status.reasons = reasons
        status.sources = sources
    }

    /// Member of the status.
    @inlinable
    public subscript<Value>(dynamicMember member: WritableKeyPath<PoseStatus, Value>) -> Value {
        @inline(__always) get { status[keyPath: member] }
        @inline(__always) set { status[keyPath: member] = newValue }
    }

    /// Direction of the line of sight (body −z), clockwise from the reference of `headingReference`, radians in [0,
    /// 2π).
    ///
    /// Nil if no reference is known, or if the line of sight is within 3° of vertical. Computed on demand: few clients
    /// use it.
    public var heading: Double? {
        guard status.headingReference != .none else { return nil }
        let sight = rotationENUFromBody * Vector3(0, 0, -1)
        let horizontal = (sight.x * sight.x + sight.y * sight.y).squareRoot()
        guard horizontal > Self.minimumHorizontalSight else { return nil }
        return Angle.positive(atan2(sight.x, sight.y))
    }

    /// The sine of 3°.
    private static let minimumHorizontalSight = 0.0523
}

/// Members of a pose that rarely change: states and reasons.
///
/// The history of poses stores one status for many poses, and a new one when any member changes. A new member therefore
/// needs only its declaration here, with a default that means unknown, and an assignment where the pose is made.
public struct PoseStatus: Hashable, Sendable {
    /// Reference direction of the heading.
    public var headingReference = HeadingReference.none
    /// Quality of the orientation.
    public var orientationTracking = TrackingQuality.invalid
    /// Quality of the position.
    public var positionTracking = TrackingQuality.invalid
    /// Tracking state.
    public var state = TrackingState.initializing
    /// Reasons that limit the tracking state: missing or wrong conditions.
    public var reasons: LimitingReasons = []
    /// Measurements that have recently corrected the estimate.
    public var sources: AidingSources = []

    /// Makes a status in which every member is unknown.
    @inlinable
    public init() {}
}

/// Accuracies: half-widths that contain the true value in 68 % of all cases; nil if unknown.
@frozen
public struct PoseAccuracy: Hashable, Sendable {
    /// Radius that contains 68 % of a two-dimensional Gaussian with equal axes, in standard deviations of one axis:
    /// √(−2·ln 0.32).
    public static let radius68 = 1.51
    /// Radius that contains 68 % of a spherical Gaussian, in standard deviations of one axis.
    public static let sphere68 = 1.87

    /// Radius around the horizontal position. Unit: metres.
    public var horizontal: Double?
    /// Half-width around the height. Unit: metres.
    public var vertical: Double?
    /// Half-width around the yaw. Unit: radians.
    public var yaw: Double?
    /// Radius around the horizontal velocity. Unit: m/s.
    public var velocityHorizontal: Double?
    /// Half-width around the vertical velocity. Unit: m/s.
    public var velocityVertical: Double?
    /// Radius of a sphere around the angular velocity. Unit: rad/s.
    public var angularVelocity: Double?

    /// Makes accuracies. One that is omitted is unknown.
    @inlinable
    public init(
        horizontal: Double?, vertical: Double?, yaw: Double?, velocityHorizontal: Double? = nil,
        velocityVertical: Double? = nil, angularVelocity: Double? = nil
    ) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.yaw = yaw
        self.velocityHorizontal = velocityHorizontal
        self.velocityVertical = velocityVertical
        self.angularVelocity = angularVelocity
    }
}

/// Reference direction of the heading.
public enum HeadingReference: UInt8, Hashable, Sendable {
    case none
    case magneticNorth
    case trueNorth
}

/// Tracking quality of a part of the pose, as in OpenXR.
public enum TrackingQuality: UInt8, Hashable, Sendable {
    case invalid
    /// Extrapolated from earlier measurements.
    case inferred
    case tracked
}

/// Tracking state, in the order in which a session passes through it.
public enum TrackingState: UInt8, CaseIterable, Hashable, Sendable, Codable {
    /// Gravity is not known yet.
    case initializing
    /// Gravity is known; heading or position is not known yet.
    case aligning
    /// Heading and position are known well enough.
    case localized
    /// Localized earlier; `reasons` states what is missing now.
    case limited
}

/// Set of the measurements that have recently corrected the estimate.
@frozen
public struct AidingSources: OptionSet, Hashable, Sendable {
    /// Bits of the set.
    public let rawValue: UInt16

    /// Makes a set from its bits.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Accelerometer and gyroscope.
    @inlinable
    public static var inertial: AidingSources { AidingSources(rawValue: 1 << 0) }
    /// Magnetometer.
    @inlinable
    public static var magnetometer: AidingSources { AidingSources(rawValue: 1 << 1) }
    /// Positions of fixes.
    @inlinable
    public static var gnssPosition: AidingSources { AidingSources(rawValue: 1 << 2) }
    /// Velocities of fixes.
    @inlinable
    public static var gnssVelocity: AidingSources { AidingSources(rawValue: 1 << 3) }
    /// Barometer.
    @inlinable
    public static var barometer: AidingSources { AidingSources(rawValue: 1 << 4) }
    /// Zero-velocity updates at rest.
    @inlinable
    public static var rest: AidingSources { AidingSources(rawValue: 1 << 5) }
    /// Steps.
    @inlinable
    public static var steps: AidingSources { AidingSources(rawValue: 1 << 6) }
    /// Odometry of a camera.
    @inlinable
    public static var camera: AidingSources { AidingSources(rawValue: 1 << 7) }
    /// Measurements from other programs: positions, sightings, ranges, headings, heights.
    @inlinable
    public static var aid: AidingSources { AidingSources(rawValue: 1 << 8) }
}

/// Published pose of a past instant.
public struct PastPose: Hashable, Sendable {
    /// Pose, interpolated between published poses.
    public var pose: PoseEstimate
    /// Sequence number of the last pose published at or before the instant; the first is 1.
    public var sequence: UInt64

    package init(pose: PoseEstimate, sequence: UInt64) {
        self.pose = pose
        self.sequence = sequence
    }
}

/// Reason why there is no pose for an instant.
public enum PastPoseProblem: Error, Hashable, Sendable {
    /// No pose has been published yet.
    case none
    /// The instant is earlier than `available`, either too long ago or before the first pose.
    case tooEarly(available: ClosedRange<BootTime>)
    /// The instant is later than the newest pose.
    case tooLate(available: ClosedRange<BootTime>)
    /// The inertial sensors were silent between the two poses around the instant.
    case inGap(ClosedRange<BootTime>, available: ClosedRange<BootTime>)
}

/// Kind of motion of the wearer.
public enum Motion: UInt8, Hashable, Sendable, CaseIterable {
    /// Sitting or standing; head and hands may move.
    case atRest
    /// Walking or running.
    case onFoot
    /// Riding in or on a vehicle. Includes stops of the vehicle, unless the board lies still for ten seconds.
    case riding
}

/// Most probable kind of motion, with its probability.
@frozen
public struct MotionEstimate: Hashable, Sendable {
    /// Most probable kind.
    public var kind: Motion
    /// Probability of the kind, 0…1.
    public var probability: Double

    /// Makes an estimate.
    @inlinable
    public init(kind: Motion, probability: Double) {
        self.kind = kind
        self.probability = probability
    }
}
