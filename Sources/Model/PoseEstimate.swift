import Geodesy
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Where the body is and how it is turned, at one instant, with honest accuracy.
public struct PoseEstimate: Hashable, Sendable {
    public var time: BootTime
    /// Grows by one whenever the scene frame is set anew; placements of another generation mean nothing here.
    public var generation: UInt32
    /// Frame: scene (X east, Y up, Z south; continuous) from body (x right, y up, z towards the wearer).
    public var rotationSceneFromBody: Rotation3
    /// Frame: scene. Unit: metres.
    public var positionInScene: Vector3
    /// Frame: scene. Unit: m/s.
    public var velocityInScene: Vector3
    /// Without gravity. Frame: scene. Unit: m/s².
    public var accelerationInScene: Vector3
    /// The mean since the sample before. Frame: body. Unit: rad/s, bias removed.
    public var angularVelocityInBody: Vector3
    /// Frame: ENU from body; true north where `headingReference` is `.trueNorth`.
    public var rotationENUFromBody: Rotation3
    /// Frame: east, north, up. Unit: m/s.
    public var velocityENU: Vector3?
    public var geodetic: GeodeticPosition?
    public var headingReference: HeadingReference
    public var accuracy: PoseAccuracy
    public var orientationTracking: TrackingQuality
    public var positionTracking: TrackingQuality
    public var state: TrackingState
    public var reasons: LimitingReasons
    public var sources: AidingSources
    /// The most probable kind of motion; nil while the inertial sensors are silent, which is what would show a change.
    public var motion: MotionEstimate?

    public init(
        time: BootTime, generation: UInt32, rotationSceneFromBody: Rotation3, positionInScene: Vector3,
        velocityInScene: Vector3, accelerationInScene: Vector3 = .zero, angularVelocityInBody: Vector3,
        rotationENUFromBody: Rotation3,
        velocityENU: Vector3?, geodetic: GeodeticPosition?, headingReference: HeadingReference,
        accuracy: PoseAccuracy, orientationTracking: TrackingQuality, positionTracking: TrackingQuality,
        state: TrackingState, reasons: LimitingReasons, sources: AidingSources, motion: MotionEstimate? = nil
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
        self.headingReference = headingReference
        self.accuracy = accuracy
        self.orientationTracking = orientationTracking
        self.positionTracking = positionTracking
        self.state = state
        self.reasons = reasons
        self.sources = sources
        self.motion = motion
    }

    /// Direction of the line of sight (body −z), clockwise from the reference of `headingReference`, radians in [0, 2π).
    ///
    /// Nil while no reference is known and while the body looks within 3° of straight up or down. Worked out when asked
    /// for: few of those who take every pose do.
    public var heading: Double? {
        guard headingReference != .none else { return nil }
        let sight = rotationENUFromBody * Vector3(0, 0, -1)
        let horizontal = (sight.x * sight.x + sight.y * sight.y).squareRoot()
        guard horizontal > Self.leastHorizontalSight else { return nil }
        return Angle.positive(atan2(sight.x, sight.y))
    }

    /// sin 3°.
    private static let leastHorizontalSight = 0.0523
}

/// Half-widths that hold the truth in 68 % of cases; nil is not known.
@frozen
public struct PoseAccuracy: Hashable, Sendable {
    /// Radius that holds 68 % of a Gaussian with equal axes, in standard deviations of one axis: √(−2·ln 0.32).
    public static let radius68 = 1.51

    /// Radius. Unit: metres.
    public var horizontal: Double?
    /// Unit: metres.
    public var vertical: Double?
    /// Unit: radians.
    public var yaw: Double?
    /// Radius, of the horizontal velocity. Unit: m/s.
    public var velocityHorizontal: Double?
    /// Unit: m/s.
    public var velocityVertical: Double?
    /// Radius of a sphere, of the angular velocity. Unit: rad/s.
    public var angularVelocity: Double?

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

/// What the heading counts from.
public enum HeadingReference: UInt8, Hashable, Sendable {
    case none
    case magneticNorth
    case trueNorth
}

/// How a part of the pose is known, as OpenXR says it.
public enum TrackingQuality: UInt8, Hashable, Sendable {
    case invalid
    /// Carried on from what was known.
    case inferred
    case tracked
}

/// The state of the whole, in the order in which a session passes through it.
public enum TrackingState: UInt8, Hashable, Sendable {
    /// No gravity yet.
    case initializing
    /// Gravity is known; heading or position is not.
    case aligning
    case localized
    /// Was localized; `reasons` say what is missing.
    case limited
}

/// Which measurements have corrected the estimate lately.
@frozen
public struct AidingSources: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let inertial = AidingSources(rawValue: 1 << 0)
    public static let magnetometer = AidingSources(rawValue: 1 << 1)
    public static let gnssPosition = AidingSources(rawValue: 1 << 2)
    public static let gnssVelocity = AidingSources(rawValue: 1 << 3)
    public static let barometer = AidingSources(rawValue: 1 << 4)
    public static let rest = AidingSources(rawValue: 1 << 5)
    public static let steps = AidingSources(rawValue: 1 << 6)
}
