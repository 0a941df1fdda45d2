/// How much of one JSON value is taken; what exceeds it is refused by name.
public struct JSONLimits: Hashable, Sendable {
    /// Of arrays and objects in each other; no more than 64.
    public var depth = 64
    /// Numbers, strings, words, names, arrays and objects. One costs 16 bytes.
    public var values = 1_000_000
    /// Of all strings and names together. Unit: bytes.
    public var text = 32 << 20

    public init() {}

    public init(depth: Int = 64, values: Int, text: Int) {
        self.depth = depth
        self.values = values
        self.text = text
    }
}
