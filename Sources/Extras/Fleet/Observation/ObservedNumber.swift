import JSON
import WaymarkInterface

/// Numbers and times of untrusted messages, within bounds that are safe for a display and a sum.
enum ObservedNumber {
    /// Maximum of accuracies and times. In metres it is larger than the earth, and in seconds it is thirty years.
    private static let maximum = 1e9
    /// Maximum count; counts of a recreated queue begin with the milliseconds since 1970.
    private static let maximumCount = 1 << 52

    /// Reads a non-negative number; nil if the node is missing.
    static func magnitude(_ node: JSONNode?) throws(DocumentProblem) -> Double? {
        guard let node else { return nil }
        let value = try node.double()
        guard (0...maximum).contains(value) else { throw node.problem("a number from 0 to 1e9 is needed") }
        return value
    }

    /// Reads a non-negative whole number.
    static func count(_ node: JSONNode) throws(DocumentProblem) -> Int64 {
        let value = try node.integer()
        guard (0...maximumCount).contains(value) else { throw node.problem("a count is needed") }
        return Int64(value)
    }
}

extension UTCTime {
    /// Reads a time in the format of messages.
    init(_ node: JSONNode) throws(DocumentProblem) {
        guard let time = UTCTime(try node.text()) else { throw node.problem("a time in UTC is needed") }
        self = time
    }
}
