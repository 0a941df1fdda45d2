/// One correction of the scene frame: by how much content moved, and why.
public struct Correction: Codable, Equatable, Sendable {
    public var time: Time
    /// RFC 3339; nil while no fix has told it.
    public var utc: String?
    /// Content was far off, and was put where it belongs at once; nil from a daemon that does not tell.
    public var large: Bool?
    /// When a large correction will have been made, at the earliest; nil once it is, and of small ones.
    public var end: Time?
    public var generation: Int
    public var before: Alignment
    public var target: Alignment
    /// By which content turned about the wearer. Unit: degrees, clockwise seen from above.
    public var turn: Double
    /// By which it shifted over ground, and rose. Unit: metres.
    public var shift: Double
    public var rise: Double
    /// As the interface file lists them.
    public var causes: [String]
    /// That moved it the most.
    public var mainCause: String?
    /// That put the heading in doubt; nil where something else was the cause.
    public var pairs: [HeadingPairs]?
    /// The same in words.
    public var text: String
    /// Shift of the requested placement: metres over ground, and degrees in the wearer's view.
    public var moved: Double?
    public var angle: Double?
}

/// What comparisons of the inertial sensors and steps with satellites said of the heading.
public struct HeadingPairs: Codable, Equatable, Sendable {
    /// `velocities` or `positions`.
    public var kind: String
    public var count: Int
    /// By how much the heading was off, to be added to it; nil while it was not known. Unit: degrees, clockwise.
    public var correction: Double?
    /// Standard deviation. Unit: degrees.
    public var deviation: Double
}
