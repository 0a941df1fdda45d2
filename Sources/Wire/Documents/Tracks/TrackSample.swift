import Geometry
import Model

/// Point of a track: the time, the position and other known values at one instant.
public struct TrackSample: Hashable, Sendable {
    /// Time on CLOCK_BOOTTIME of the recording computer.
    public var time: BootTime
    /// UTC since 1970-01-01; nil if no receiver reported it. Unit: nanoseconds.
    public var utc: Int64?
    /// Position on the earth; nil while it is unknown.
    public var position: TrackPosition?
    package var standardDeviation = TrackDeviation()
    /// Velocity. Frame: east, north, up. Unit: m/s.
    public var velocityENU = GNSSFix.VelocityENU(east: nil, north: nil, up: nil)
    /// Rotation from the body to ENU; nil unless true north is known.
    public var rotationENUFromBody: Rotation3?
    /// Pose in the scene frame, in which content is placed; nil for a fix.
    public var scenePose: ScenePose?
    /// Half-width (68 %) of the yaw. Unit: degrees.
    public var yawAccuracyDegrees: Double?
    /// Whether the position is dead-reckoned from earlier fixes, without a recent fix.
    public var isDeadReckoned = false

    /// Makes a point with only its times.
    public init(time: BootTime, utc: Int64?) {
        self.time = time
        self.utc = utc
    }
}

/// Pose relative to the scene frame, which stays continuous when the position on the earth is corrected.
public struct ScenePose: Hashable, Sendable {
    /// Number of the scene frame; each scene frame has its own origin.
    public let generation: UInt32
    /// Position along the scene's axes: x east, y up, z south. Unit: metres.
    public let position: Vector3
    /// Rotation from the body to the scene.
    public let rotationSceneFromBody: Rotation3

    package init(generation: UInt32, position: Vector3, rotationSceneFromBody: Rotation3) {
        self.generation = generation
        self.position = position
        self.rotationSceneFromBody = rotationSceneFromBody
    }
}

/// Position of a point on WGS84, with the heights that are known.
public struct TrackPosition: Hashable, Sendable {
    /// Latitude, positive north. Unit: degrees.
    public let latitudeDegrees: Double
    /// Longitude, positive east, within ±180. Unit: degrees.
    public let longitudeDegrees: Double
    /// Height above the ellipsoid. Unit: metres.
    public let ellipsoidalHeight: Double?
    /// Height above mean sea level. Unit: metres.
    public let seaLevelHeight: Double?

    /// Maximum magnitude of a height that is written, above any aircraft. Unit: metres.
    private static let maximumHeight = 100_000.0

    /// Position from its coordinates; nil for a latitude beyond ±90°, a longitude beyond ±540° or a value that is not
    /// finite.
    ///
    /// - Parameters:
    ///   - ellipsoidalHeight: height above the ellipsoid; unknown if it is not finite or beyond 100 km.
    ///   - seaLevelHeight: height above mean sea level; unknown under the same conditions.
    ///   - geoidSeparation: height of the geoid above the ellipsoid; used to compute one height from the other if only
    ///     one is known.
    public init?(
        latitudeDegrees: Double, longitudeDegrees: Double, ellipsoidalHeight: Double? = nil,
        seaLevelHeight: Double? = nil, geoidSeparation: Double? = nil
    ) {
        guard latitudeDegrees.magnitude <= 90, longitudeDegrees.magnitude <= 540 else { return nil }
        let separation = geoidSeparation ?? .nan
        let (ellipsoidal, seaLevel) = (ellipsoidalHeight ?? .nan, seaLevelHeight ?? .nan)
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees =
            longitudeDegrees.magnitude <= 180
            ? longitudeDegrees : longitudeDegrees - (longitudeDegrees < 0 ? -360 : 360)
        self.ellipsoidalHeight = Self.known(ellipsoidal) ?? Self.known(seaLevel + separation)
        self.seaLevelHeight = Self.known(seaLevel) ?? Self.known(ellipsoidal - separation)
    }

    private static func known(_ height: Double) -> Double? { height.magnitude <= maximumHeight ? height : nil }

    /// Height of the geoid above the ellipsoid; nil unless both heights are known. Unit: metres.
    public var geoidSeparation: Double? {
        guard let ellipsoidalHeight, let seaLevelHeight else { return nil }
        return ellipsoidalHeight - seaLevelHeight
    }
}

/// Standard deviation of a position along each axis; nil if unknown. Unit: metres.
public struct TrackDeviation: Hashable, Sendable {
    package let east: Double?
    package let north: Double?
    package let up: Double?

    /// Standard deviation above which the value counts as unknown. Unit: metres.
    private static let maximum = 1e8

    /// Standard deviations; a value that is negative, not finite or too large counts as unknown.
    public init(east: Double? = nil, north: Double? = nil, up: Double? = nil) {
        func known(_ value: Double?) -> Double? { value.flatMap { (0...Self.maximum).contains($0) ? $0 : nil } }
        self.east = known(east)
        self.north = known(north)
        self.up = known(up)
    }

    /// Standard deviations from 68 % accuracies: the horizontal radius, and the half-width of the height.
    public init(horizontalAccuracy: Double?, verticalAccuracy: Double?) {
        let axis = horizontalAccuracy.map { $0 / PoseAccuracy.radius68 }
        self.init(east: axis, north: axis, up: verticalAccuracy)
    }

    /// Horizontal radius that contains 68 %, computed from the mean variance of the two axes; nil unless both are
    /// known. Unit: metres.
    public var horizontalAccuracy: Double? {
        guard let east, let north else { return nil }
        return PoseAccuracy.radius68 * (east == north ? east : ((east * east + north * north) / 2).squareRoot())
    }
}
