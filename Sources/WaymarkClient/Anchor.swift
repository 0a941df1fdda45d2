/// Something that a client places itself: exactly one of `geo`, `way`, `position`, `alongRoute` and `head` says where. The type
/// of the same name in `org.waymark.Scene` says what each part means.
public struct Anchor: Codable, Equatable, Sendable {
    /// Degrees clockwise from true north, and metres over ground, from the wearer's present place.
    public struct Way: Codable, Equatable, Sendable {
        public var bearing: Double
        public var distance: Double

        public init(bearing: Double, distance: Double) {
            self.bearing = bearing
            self.distance = distance
        }
    }

    /// In the body's axes, metres; what is nil is straight ahead.
    public struct HeadPoint: Codable, Equatable, Sendable {
        public var x: Double?
        public var y: Double?
        public var z: Double?

        public init(x: Double? = nil, y: Double? = nil, z: Double? = nil) {
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// One with the id of another replaces it; nil leaves it to the daemon.
    public var id: String?
    public var name: String?
    public var category: String?
    public var geo: Place.Geo?
    /// `eye`, `ground`, `ellipsoid` or `sea`; with `geo`.
    public var heightKind: String?
    public var way: Way?
    /// In the scene of `generation`, metres.
    public var position: Vector?
    public var generation: Int?
    /// Metres from the route's start.
    public var alongRoute: Double?
    public var head: HeadPoint?
    /// `connection`, `daemon` or `kept`.
    public var lifetime: String?
    /// `follow`, or `hold` for one on the earth that stays where it is in the scene until that is clearly wrong.
    public var policy: String?
    public var sizeDegrees: Double?
    public var sizeMetres: Double?
    public var properties: [String: String]?

    public init(id: String? = nil, name: String? = nil) {
        self.id = id
        self.name = name
    }
}
