/// A pose as the daemon publishes it (`org.waymark.Pose`). What is not known is nil.
public struct Pose: Codable, Hashable, Sendable {
    /// Counts the poses published since the daemon started.
    public var sequence: Int
    /// How many this subscriber missed since the message before.
    public var missed: Int?
    public var time: Time
    /// RFC 3339.
    public var utc: String?
    /// Always "scene".
    public var frame: String
    /// Another generation is another scene frame.
    public var generation: Int
    /// Frame: scene. Unit: metres.
    public var position: Vector
    /// Frame: scene from body.
    public var orientation: Quaternion
    /// Frame: scene. Unit: m/s.
    public var linearVelocity: Vector
    /// Frame: body. Unit: rad/s.
    public var angularVelocity: Vector
    public var tracking: Tracking
    public var geo: Geo?
    /// Clockwise from `headingReference`. Unit: degrees.
    public var heading: Double?
    public var headingReference: HeadingReference
    /// Direction of motion over ground, clockwise from true north. Unit: degrees.
    public var course: Double?
    /// Over ground. Unit: m/s.
    public var speed: Double?
    public var accuracy: Accuracy
    public var state: TrackingState
    /// What keeps `state` from being localized; ignore words you do not know.
    public var reasons: [String]
    /// Which measurements have corrected the estimate lately; ignore words you do not know.
    public var sources: [String]

    /// How parts of the pose are known.
    public struct Tracking: Codable, Hashable, Sendable {
        public var orientation: TrackingQuality
        public var position: TrackingQuality
    }
}

/// Half-widths that hold the truth in 68 % of cases.
public struct Accuracy: Codable, Hashable, Sendable {
    /// Unit: metres.
    public var horizontalAccuracy: Double?
    /// Unit: metres.
    public var verticalAccuracy: Double?
    /// Unit: degrees.
    public var orientationYawAccuracy: Double?
}

/// How a part of the pose is known: not, carried on from what was known, or measured.
public enum TrackingQuality: String, Codable, Hashable, Sendable {
    case invalid, inferred, tracked
}

/// What the heading counts from.
public enum HeadingReference: String, Codable, Hashable, Sendable {
    case none, magneticNorth, trueNorth
}

/// The state of the whole, in the order in which a session passes through it.
public enum TrackingState: String, Codable, Hashable, Sendable {
    case initializing, aligning, localized, limited
}
