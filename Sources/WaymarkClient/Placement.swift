/// One thing to draw; the type of the same name in `org.waymark.Scene` says what each part means.
public struct Placement: Codable, Equatable, Sendable {
    /// How large: seen under `angle` degrees.
    public struct Size: Codable, Equatable, Sendable {
        /// `fading`, `angular` or `metric`.
        public var policy: String
        public var angle: Double
        public var scale: Double
    }

    /// On the border of the display (−1 to 1, down positive), and the turn towards it, degrees, right positive.
    public struct Hint: Codable, Equatable, Sendable {
        public var u: Double
        public var v: Double
        public var turn: Double
        /// Among the hints, from the most important one, 0, and how many other things it stands for; daemons before these
        /// fields do not tell.
        public var order: Int?
        public var count: Int?
    }

    /// The rectangle that is kept free for a label at the placement's azimuth: counted from the lowest, its middle in degrees
    /// above the horizon, and its size in degrees, which daemons before that field do not tell.
    public struct Slot: Codable, Equatable, Sendable {
        public var index: Int
        public var elevation: Double
        public var width: Double?
        public var height: Double?
    }

    /// Period in seconds, and what the mark goes to.
    public struct Pulse: Codable, Equatable, Sendable {
        public var epoch: Time
        public var period: Double
        public var opacity: Double
        public var scale: Double
    }

    /// On a radar of radius 1: right, and ahead.
    public struct Radar: Codable, Equatable, Sendable {
        public var x: Double
        public var y: Double
    }

    /// A point of an arrow's way, at a share of the period.
    public struct PathPoint: Codable, Equatable, Sendable {
        public var share: Double
        public var position: Vector
        public var course: Double
    }

    public var id: String
    /// Revision of the message in which the placement last changed.
    public var revision: Int
    public var kind: String
    public var name: String?
    public var category: String?
    /// `scene`, or `head` for what has its position in the body's axes.
    public var lock: String
    /// Where it truly is, metres.
    public var position: Vector
    /// Metres from the eye where it is to be drawn, in the true direction.
    public var displayDistance: Double
    /// Degrees that a billboard is turned about up to face the wearer.
    public var yaw: Double
    /// Degrees clockwise from true north.
    public var bearing: Double?
    /// Metres.
    public var distance: Double
    public var distanceText: String?
    /// Metres.
    public var alongRoute: Double?
    public var alongRouteText: String?
    public var size: Size
    /// `near`, `middle` or `far`.
    public var band: String?
    /// The farthest, which has the least number, first; the numbers have gaps.
    public var order: Int
    public var slot: Slot?
    public var visible: Bool
    public var hint: Hint?
    public var radar: Radar?
    /// Degrees.
    public var sigma: Double?
    public var pulse: Pulse?
    /// Degrees in which the route leads, counter-clockwise from facing north (−z).
    public var course: Double?
    /// Path of an arrow in each period; nil for other kinds.
    public var path: [PathPoint]?
    /// `left` or `right`.
    public var side: String?
    public var maneuver: String?
    public var favorite: Bool?
    public var members: [String]?
    public var properties: [String: String]?
    /// Details of a place; nil for other kinds.
    public var details: PlaceDetails?
}
