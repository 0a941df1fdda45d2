/// Something ahead of the wearer.
public struct Item: Codable, Equatable, Sendable {
    public var id: String
    /// `route`, `turn`, `destination` or `place`.
    public var kind: String
    public var name: String
    /// Metres in a straight line.
    public var distance: Double
    /// Metres along the route, for what lies on it.
    public var alongRoute: Double?
    /// Degrees clockwise from true north.
    public var bearing: Double
    /// Degrees to turn, right positive, -180 to 180; nil while the heading is not known.
    public var turn: Double?
}
