/// What a display shows: a pinhole that looks along the body's −z.
public struct Camera: Codable, Equatable, Sendable {
    /// Degrees that it is wide; nil leaves it to the daemon (60).
    public var horizontalFieldOfView: Double?
    /// Width by height; nil leaves it to the daemon (16/9).
    public var aspect: Double?

    public init(horizontalFieldOfView: Double? = nil, aspect: Double? = nil) {
        self.horizontalFieldOfView = horizontalFieldOfView
        self.aspect = aspect
    }
}

/// Something that has happened; the interface file says which kinds there are.
public struct SceneEvent: Codable, Equatable, Sendable {
    public var time: Time
    public var kind: String
    /// Identifier of the placement concerned.
    public var id: String?
    /// Identifier of the route concerned.
    public var route: String?
    /// Subject of an announcement, such as `turn`.
    public var about: String?
    /// To be said or shown.
    public var text: String?
    /// Metres.
    public var distance: Double?
    /// Rotation of the content about the wearer by a correction. Unit: degrees, clockwise seen from above.
    public var turn: Double?
    /// `left` or `right`.
    public var side: String?
    public var state: String?
    public var reasons: [String]?
}

/// The sun at the wearer's place: degrees above the horizon and clockwise from true north.
public struct Sun: Codable, Equatable, Sendable {
    public var elevation: Double
    public var azimuth: Double
    public var isDay: Bool
    /// `day`, `civilTwilight` or `night`.
    public var light: String
}

/// How the arrows of the route move: each is at its own place at the epoch and every so many seconds after it.
public struct ArrowMotion: Codable, Equatable, Sendable {
    public var epoch: Time
    public var period: Double
}

/// The scene, or what has changed of it.
public struct Scene: Codable, Equatable, Sendable {
    /// Rises by one from message to message.
    public var revision: Int
    /// Whether it is all of the scene.
    public var snapshot: Bool
    /// Messages that this one stands for besides its own.
    public var missed: Int?
    public var time: Time
    /// Positions of another generation mean nothing here.
    public var generation: Int
    /// `searching`, `ready`, `lost` or `stuck`.
    public var readiness: String
    public var reasons: [String]
    public var route: Route?
    public var motion: ArrowMotion?
    public var sun: Sun?
    /// Degrees by which labels turn on the display to stay level, counter-clockwise.
    public var labelRoll: Double
    public var changed: [Placement]
    public var removed: [String]
    public var events: [SceneEvent]
    public var eventsDropped: Int?
    /// Placements for which there was no room.
    public var left: Int?
}
