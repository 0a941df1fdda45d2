import JSON

/// Message of a stream, encoded once and shared by all its subscribers.
package final class EncodedMessage {
    /// The whole reply, with its envelope and the terminating NUL.
    package private(set) var frame: [UInt8] = []
    /// Position at which the number of messages that a subscriber missed is inserted; nil if the message does not have
    /// this member. Unit: bytes.
    private(set) var missedOffset: Int?
    /// Whether all required numbers are present; if not, the message is never sent.
    private(set) var isComplete = true

    private static let prefix = Array(#"{"parameters":"#.utf8)
    private static let suffix = Array(#","continues":true}"#.utf8) + [0]

    private init() {}

    /// Wraps the reply's parameters, a JSON object.
    ///
    /// - Parameter missedOffset: position in `parameters` at which the member `,"missed":N` may be inserted for a
    ///   subscriber who missed N messages before this one. Another member has to precede it.
    /// - Parameter isComplete: whether the parameters have all required numbers.
    package init(parameters: some Collection<UInt8>, missedOffset: Int? = nil, isComplete: Bool = true) {
        wrap(parameters, missedOffset, isComplete)
    }

    private func wrap(_ parameters: some Collection<UInt8>, _ missedOffset: Int?, _ isComplete: Bool) {
        precondition(missedOffset.map { (2..<parameters.count).contains($0) } ?? true, "an offset inside the object")
        frame.removeAll(keepingCapacity: true)
        frame.reserveCapacity(Self.prefix.count + parameters.count + Self.suffix.count)
        frame += Self.prefix
        frame += parameters
        frame += Self.suffix
        self.missedOffset = missedOffset.map { $0 + Self.prefix.count }
        self.isComplete = isComplete
    }

    /// Writes the reply's parameters as one JSON object.
    ///
    /// - Parameter json: writer to use. It is empty afterwards.
    /// - Parameter countsMissed: whether the number of missed messages is inserted at the first position that the value
    ///   marks.
    package convenience init(json value: some JSONWritable, with json: inout JSONWriter, countsMissed: Bool = false) {
        self.init()
        replace(json: value, with: &json, countsMissed: countsMissed)
    }

    /// Replaces the message, in the same memory. The caller must be its only owner.
    ///
    /// The arguments are those of `init(json:with:countsMissed:)`.
    package func replace(json value: some JSONWritable, with json: inout JSONWriter, countsMissed: Bool) {
        json.removeAll()
        value.write(into: &json)
        wrap(json.bytes, countsMissed ? json.marks.first : nil, !json.lacksNumber)
        json.removeAll()
    }

    /// Writes the reply's parameters as one JSON object, with a writer of its own.
    package convenience init(json value: some JSONWritable) {
        var json = JSONWriter(capacity: 1024)
        self.init(json: value, with: &json)
    }

    /// Appends the frame for a subscriber who missed `missed` messages.
    func append(to output: inout [UInt8], missed: Int) {
        guard missed > 0, let missedOffset else {
            output += frame
            return
        }
        output += frame[..<missedOffset]
        output += Array(#","missed":\#(missed)"#.utf8)
        output += frame[missedOffset...]
    }
}
