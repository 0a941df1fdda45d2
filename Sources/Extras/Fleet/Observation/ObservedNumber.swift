import JSON
import WaymarkInterface

/// Numbers and times of messages from outside, within bounds that a display and a sum can bear.
enum ObservedNumber {
    /// Largest of accuracies and times: more than the earth is large, and thirty years of seconds.
    private static let largest = 1e9
    /// Largest count; those of a queue that was made anew begin with the milliseconds since 1970.
    private static let largestCount = 1 << 52

    /// A number that is not negative; nil for a node that is missing.
    static func magnitude(_ node: JSONNode?) throws(DocumentProblem) -> Double? {
        guard let node else { return nil }
        let value = try node.double()
        guard (0...largest).contains(value) else { throw node.problem("a number from 0 to 1e9 is needed") }
        return value
    }

    /// A whole number that is not negative.
    static func count(_ node: JSONNode) throws(DocumentProblem) -> Int64 {
        let value = try node.integer()
        guard (0...largestCount).contains(value) else { throw node.problem("a count is needed") }
        return Int64(value)
    }
}

extension UTCTime {
    /// A time as messages have it.
    init(_ node: JSONNode) throws(DocumentProblem) {
        guard let time = UTCTime(try node.text()) else { throw node.problem("a time in UTC is needed") }
        self = time
    }
}
