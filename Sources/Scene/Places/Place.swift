import Geodesy

/// A named point on the earth.
public struct Place: Hashable, Sendable {
    /// Of the place as its source names it; unique.
    public var id: String
    public var name: String
    /// Such as `cafe` or `stop`; free text, what filters go by.
    public var kind: String
    public var position: GeodeticPosition
    /// What the position's height means; the others leave `ellipsoidalHeight` at 0.
    public var height: PlacementHeight
    /// What else its source says, by name.
    public var tags: [String: String]
    public var isFavorite: Bool

    public init(
        id: String, name: String, kind: String, position: GeodeticPosition, height: PlacementHeight = .atEye,
        tags: [String: String] = [:], isFavorite: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.position = position
        self.height = height
        self.tags = tags
        self.isFavorite = isFavorite
    }
}
