/// A moment of CLOCK_BOOTTIME.
public struct Time: Codable, Equatable, Hashable, Sendable {
    public var sec: Int64
    public var nsec: Int64

    public init(sec: Int64, nsec: Int64) {
        self.sec = sec
        self.nsec = nsec
    }

    /// Seconds since boot, suspend included.
    public var seconds: Double { Double(sec) + Double(nsec) / 1e9 }
}

extension Time: CustomStringConvertible {
    /// Seconds with three digits, cut off.
    public var description: String {
        let milliseconds = String(nsec / 1_000_000)
        return "\(sec).\(String(repeating: "0", count: max(0, 3 - milliseconds.count)))\(milliseconds) s"
    }
}

/// A clock of this computer that stamps may be of.
public enum Clock: String, Codable, Sendable {
    /// CLOCK_BOOTTIME.
    case boottime
    /// CLOCK_REALTIME, which somebody may set.
    case realtime
}

/// Metres, m/s or rad/s along three axes; the field that holds it says in which frame.
public struct Vector: Codable, Equatable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// A rotation of unit length; `w` is its real part.
public struct Quaternion: Codable, Equatable, Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double
    public var w: Double

    public init(x: Double, y: Double, z: Double, w: Double) {
        self.x = x
        self.y = y
        self.z = z
        self.w = w
    }
}

/// Degrees, and metres above the WGS84 ellipsoid.
public struct Geo: Codable, Equatable, Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double
    public var height: Double

    public init(latitude: Double, longitude: Double, height: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.height = height
    }
}

/// Half-widths that hold the truth in 68 % of cases: metres, degrees, m/s, rad/s; nil where not known.
public struct Accuracy: Codable, Equatable, Sendable {
    public var horizontalAccuracy: Double?
    public var verticalAccuracy: Double?
    public var orientationYawAccuracy: Double?
    /// Accuracy of `linearVelocity`: radius over ground, and half-width upwards.
    public var horizontalVelocityAccuracy: Double?
    public var verticalVelocityAccuracy: Double?
    /// Accuracy of `angularVelocity`: radius of a sphere.
    public var angularVelocityAccuracy: Double?

    public init(
        horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, orientationYawAccuracy: Double? = nil,
        horizontalVelocityAccuracy: Double? = nil, verticalVelocityAccuracy: Double? = nil,
        angularVelocityAccuracy: Double? = nil
    ) {
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.orientationYawAccuracy = orientationYawAccuracy
        self.horizontalVelocityAccuracy = horizontalVelocityAccuracy
        self.verticalVelocityAccuracy = verticalVelocityAccuracy
        self.angularVelocityAccuracy = angularVelocityAccuracy
    }
}

/// How far a part of the pose can be relied on.
public enum Quality: String, Codable, Sendable {
    case invalid
    /// Carried on from earlier measurements.
    case inferred
    case tracked
}

/// The quality of a pose's two halves.
public struct Tracking: Codable, Equatable, Sendable {
    public var orientation: Quality
    public var position: Quality

    public init(orientation: Quality, position: Quality) {
        self.orientation = orientation
        self.position = position
    }
}

/// What a heading counts from.
public enum HeadingReference: String, Codable, Sendable {
    case none
    case magneticNorth
    case trueNorth
}

/// A way to move about.
public enum MotionMode: String, Codable, Sendable {
    /// Sits or stands; head and hands may move.
    case rest
    case foot
    /// In or on a vehicle.
    case vehicle
}

/// How the wearer moves about: the most probable mode.
public struct Motion: Codable, Equatable, Sendable {
    public var mode: MotionMode
    /// Probability of the mode, 0 to 1.
    public var probability: Double

    public init(mode: MotionMode, probability: Double) {
        self.mode = mode
        self.probability = probability
    }
}

/// How far the estimate has come.
public enum LocalizationState: String, Codable, Sendable {
    case initializing
    case aligning
    case localized
    case limited
}

/// The wearer's board at one moment.
///
/// The scene frame has X east, Y up, Z south and never jumps; the body has x right, y up, z towards the wearer.
public struct Pose: Codable, Equatable, Sendable {
    /// Counts the poses published since the daemon started.
    public var sequence: Int
    /// Poses this subscriber missed just before this one, because it read slowly.
    public var missed: Int?
    public var time: Time
    /// RFC 3339.
    public var utc: String?
    /// Always `scene`.
    public var frame: String
    /// Another generation is another scene frame: place everything anew.
    public var generation: Int
    /// Metres in the scene.
    public var position: Vector
    /// Scene from body.
    public var orientation: Quaternion
    /// m/s in the scene.
    public var linearVelocity: Vector
    /// rad/s in the body.
    public var angularVelocity: Vector
    public var tracking: Tracking
    public var geo: Geo?
    /// Degrees clockwise from `headingReference`.
    public var heading: Double?
    public var headingReference: HeadingReference
    /// Direction of motion over ground, degrees clockwise from true north.
    public var course: Double?
    /// Over ground, m/s.
    public var speed: Double?
    /// Nil while the inertial sensors are silent, and from daemons that know none.
    public var motion: Motion?
    public var accuracy: Accuracy
    public var state: LocalizationState
    /// Why the state is no better, such as `noGNSSData`; later versions may add more.
    public var reasons: [String]
    /// What the pose rests on, such as `gnssPosition`; later versions may add more.
    public var sources: [String]
}
