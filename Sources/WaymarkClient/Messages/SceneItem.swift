/// One thing that lies ahead (`org.waymark.Scene`).
public struct SceneItem: Codable, Hashable, Sendable {
    public var id: String
    /// route, turn, destination or place; ignore words you do not know.
    public var kind: String
    public var name: String
    /// In a straight line. Unit: metres.
    public var distance: Double
    /// Along the route, for what lies on it. Unit: metres.
    public var alongRoute: Double?
    /// Clockwise from true north. Unit: degrees.
    public var bearing: Double
    /// To turn from the present heading, right positive, −180 to 180; nil while the heading is not known. Unit: degrees.
    public var turn: Double?
}
