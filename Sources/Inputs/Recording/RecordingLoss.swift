/// Missing parts of a recording: its damaged places, and the numbers of missing messages by channel.
public struct RecordingLoss: Hashable, Sendable {
    /// Damaged place, up to the next message.
    private struct Place: Hashable, Sendable {
        var problem: String
        /// Skipped bytes of the file.
        var bytes: Range<UInt64>
        /// Log time of the previous message; nil at the beginning.
        var before: UInt64?
        /// Log time of the next message; nil at the end.
        var after: UInt64?
        var messages: [String: UInt64] = [:]
    }

    /// Maximum number of places that are reported individually, including the last one.
    private static let maximumPlaceCount = 8
    private static let maximumNameCount = 8

    /// The first places.
    private var first: [Place] = []
    private var last: Place?
    /// Number of damaged places.
    public private(set) var places = 0
    /// Whether no message has been read since the last damaged place.
    private var isOpen = false
    /// Number of missing messages, by the names of their channels.
    private(set) var messages: [String: UInt64] = [:]
    /// Log time of the first message.
    private var start: UInt64?
    /// Log time of the latest message.
    private var latest: UInt64?
    /// Whether the missing messages have been counted up to the end.
    private(set) var isCounted = false

    init() {}

    /// Number of messages known to be missing.
    public var count: UInt64 { Self.sum(messages) }

    /// Whether messages are missing before the first message that was read, so that an estimator starts without them.
    private var lacksBeginning: Bool {
        guard let place = first.first ?? last, place.before == nil else { return false }
        return !place.messages.isEmpty
    }

    // MARK: - Reading

    /// Adds skipped bytes to the last damaged place, or as a new place if a message has been read since.
    mutating func add(_ problem: String, _ bytes: Range<UInt64>) {
        if isOpen, let open = last {
            last?.bytes = open.bytes.lowerBound..<max(open.bytes.upperBound, bytes.upperBound)
            return
        }
        if let last, first.count < Self.maximumPlaceCount - 1 { first.append(last) }
        last = Place(problem: problem, bytes: bytes, before: latest)
        places += 1
        isOpen = true
    }

    /// Adds the log time of a message that was read.
    mutating func pass(_ time: UInt64) {
        if isOpen { last?.after = time }
        isOpen = false
        start = start ?? time
        latest = time
    }

    /// Adds messages that are missing at the last damaged place.
    mutating func add(missing count: UInt64, of channel: String) {
        messages[channel, default: 0].addClamped(count)
        last?.messages[channel, default: 0].addClamped(count)
    }

    /// Adds missing messages that are known only from the statistics of the file.
    ///
    /// - Parameter end: size of the file.
    mutating func finish(_ statistics: MCAPStatistics, missing: [MCAPChannels.Missing], end: UInt64) {
        isCounted = true
        if start != nil { start = statistics.start }
        guard !missing.isEmpty else { return }
        if places == 0 { add("the file had more messages than were found", end..<end) }
        for each in missing {
            messages[each.name, default: 0].addClamped(each.count)
            if each.isAtLast { last?.messages[each.name, default: 0].addClamped(each.count) }
        }
    }

    // MARK: - Text

    /// One line for each place, at most eight lines, and one line for the whole file.
    func lines(_ path: String) -> [String] {
        guard let last else { return [] }
        var lines = first.map { "\(path): \(line($0))" }
        if places > first.count + 1 { lines.append("\(path): \(places - first.count - 1) more damaged places") }
        lines.append("\(path): \(line(last))")
        if places > 1 {
            let limit = isCounted ? "in all" : "in all at least"
            lines.append("\(path): \(limit) \(Self.text(messages, none: "no messages")) are missing")
        }
        return lines
    }

    /// Warning that the estimator's initial state is missing; nil if it is not.
    ///
    /// - Parameter lacksStart: whether a message of the topics in `start` could not be read.
    func beginning(_ path: String, lacksStart: Bool = false) -> String? {
        let isLost = lacksStart || Self.start.contains { messages[$0.name] != nil }
        guard isLost || lacksBeginning else { return nil }
        let part = isLost ? "what the estimator began with" : "the beginning"
        return "\(path): \(part) is missing; the poses are not those that were recorded"
    }

    /// Topics of the state with which the estimator of a replay starts, if the recording contains one.
    static let start: [Topic] = [.warmStart, .estimatorState]

    /// Description of the readable part of a truncated file.
    var restBefore: String { places == 0 ? "everything before" : "everything else before" }

    private func line(_ place: Place) -> String {
        var parts: [String] = []
        if !place.bytes.isEmpty { parts.append("\(place.bytes.count) bytes") }
        parts.append("from \(seconds(place.before) ?? "the beginning") to \(seconds(place.after) ?? "the end")")
        if !place.messages.isEmpty { parts.append("with \(Self.text(place.messages, none: ""))") }
        if places == 1, isCounted, messages.isEmpty { parts.append("without a message in them") }
        return "at byte \(place.bytes.lowerBound): \(place.problem): missing are \(parts.joined(separator: ", "))"
    }

    /// Time since the start of the recording.
    private func seconds(_ time: UInt64?) -> String? {
        guard let time else { return nil }
        let start = start ?? time
        let tenths = (time >= start ? time - start : 0) / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }

    private static func text(_ messages: [String: UInt64], none: String) -> String {
        guard !messages.isEmpty else { return none }
        let sorted = messages.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let names = sorted.prefix(maximumNameCount).map { "\($0.key.printable) \($0.value)" }
        let others = sorted.count > maximumNameCount ? " and others" : ""
        let count = sum(messages)
        return "\(count) message\(count == 1 ? "" : "s") (\(names.joined(separator: ", "))\(others))"
    }

    private static func sum(_ messages: [String: UInt64]) -> UInt64 {
        messages.values.reduce(into: 0) { $0.addClamped($1) }
    }
}

extension UInt64 {
    /// Adds with saturation, because numbers in a file may have any value.
    mutating func addClamped(_ other: UInt64) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? .max : sum
    }
}
