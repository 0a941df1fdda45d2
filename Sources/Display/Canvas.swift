/// What a terminal can show.
public struct Canvas: Equatable, Sendable {
    /// Whether it shows more than ASCII.
    public var unicode: Bool
    public var colour: Bool
    /// Characters in a line.
    public var columns: Int

    public init(unicode: Bool = true, colour: Bool = true, columns: Int = 80) {
        self.unicode = unicode
        self.colour = colour
        self.columns = columns
    }
}
