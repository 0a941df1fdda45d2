/// Limits of one JSON value; a value that exceeds one of them is refused with the limit's name.
public struct JSONLimits: Hashable, Sendable {
    /// Largest depth of arrays and objects in each other; no more than 64.
    public var depth = 64
    /// Numbers, strings, words, names, arrays and objects. One costs 16 bytes.
    public var values = 1_000_000
    /// Largest size of all strings and names together. Unit: bytes.
    public var text = 32 << 20

    /// Default limits: 64 levels, a million values, 32 MiB of text.
    public init() {}

    /// Limits for documents of a known kind; `text` is in bytes.
    public init(depth: Int = 64, values: Int, text: Int) {
        self.depth = depth
        self.values = values
        self.text = text
    }
}
