import Geodesy

/// Named point on the earth.
public struct Place: Hashable, Sendable {
    /// Identifier given by the source; unique.
    public var id: String
    /// Name for display; empty for none.
    public var name: String
    /// Kind by which filters select, such as `cafe` or `stop`; free text.
    public var kind: String
    /// Geodetic position; its height counts only as `height` says.
    public var position: GeodeticPosition
    /// Height and its reference; for references other than the ellipsoid `ellipsoidalHeight` is 0.
    public var height: PlacementHeight
    /// Further properties from the source, by name; text is parsed on each access.
    public var tags: [String: String] {
        get { sourceTags.table }
        set { sourceTags = PlaceTags(newValue) }
    }
    /// Properties, parsed or as text.
    private(set) var sourceTags: PlaceTags
    /// Whether the wearer has marked it as a favourite.
    public var isFavorite: Bool

    /// Place with the given properties.
    public init(
        id: String, name: String, kind: String, position: GeodeticPosition, height: PlacementHeight = .atEye,
        tags: [String: String] = [:], isFavorite: Bool = false
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.position = position
        self.height = height
        sourceTags = PlaceTags(tags)
        self.isFavorite = isFavorite
    }

    /// Sets the properties as text that is parsed only when needed.
    public mutating func setTags(text: String, read: @escaping @Sendable (String) -> [String: String]) {
        sourceTags = PlaceTags(text: text, read: read)
    }
}
