/// Capabilities of a terminal.
public struct Canvas: Equatable, Sendable {
    /// Whether it shows more than ASCII.
    public var unicode: Bool
    /// Whether it shows colours and other attributes of text.
    public var colour: Bool
    /// Characters in a line.
    public var columns: Int

    /// Makes the capabilities of a terminal; those of most terminals without arguments.
    public init(unicode: Bool = true, colour: Bool = true, columns: Int = 80) {
        self.unicode = unicode
        self.colour = colour
        self.columns = columns
    }
}
