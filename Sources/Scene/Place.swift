import Geodesy

/// A named point on the earth.
public struct Place: Hashable, Sendable {
    public var id: String
    public var name: String
    /// Such as `cafe` or `stop`; free text.
    public var kind: String
    public var position: GeodeticPosition

    public init(id: String, name: String, kind: String, position: GeodeticPosition) {
        self.id = id
        self.name = name
        self.kind = kind
        self.position = position
    }
}
