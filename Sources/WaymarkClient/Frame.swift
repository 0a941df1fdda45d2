/// One scene-from-earth transform: degrees counter-clockwise about up, and the scene's origin in metres ENU.
public struct Alignment: Codable, Equatable, Sendable {
    public var yaw: Double
    public var east: Double
    public var north: Double
    public var up: Double
}

/// The scene frame against the earth; `published` follows `target` slowly, so that content stays where it is.
public struct Frame: Codable, Equatable, Sendable {
    public var sequence: Int
    /// Corrections this subscriber missed just before this one.
    public var missed: Int?
    public var time: Time
    public var generation: Int
    public var origin: Geo?
    public var published: Alignment
    public var target: Alignment
    /// When a large correction will have been made, at the earliest; nil while none is under way.
    public var slewEnd: Time?
    /// Accuracy of content around the wearer laid out by `published`, as 68 % half-widths. Units: metres, degrees.
    public var horizontalAccuracy: Double?
    public var orientationYawAccuracy: Double?
    /// The target as it was announced before; nil from a daemon that does not tell it.
    public var before: Alignment?
    /// What has moved the target since, as the interface file lists it; empty while only `published` moves.
    public var causes: [String]?
    /// That moved it the most.
    public var mainCause: String?
}
