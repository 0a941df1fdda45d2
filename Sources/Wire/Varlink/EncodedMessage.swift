import JSON

/// Message of a stream, encoded once and shared by all its subscribers.
package final class EncodedMessage: Sendable {
    /// The whole reply, with its envelope and the terminating NUL.
    let frame: [UInt8]
    /// Position at which the number of messages that a subscriber missed is inserted; nil if the message does not have
    /// this member. Unit: bytes.
    let missedOffset: Int?
    /// Whether all required numbers are present; if not, the message is never sent.
    let isComplete: Bool

    private static let prefix = Array(#"{"parameters":"#.utf8)
    private static let suffix = Array(#","continues":true}"#.utf8) + [0]

    /// Wraps the reply's parameters, a JSON object.
    ///
    /// - Parameter missedOffset: position in `parameters` at which the member `,"missed":N` may be inserted for a
    ///   subscriber who missed N messages before this one. Another member has to precede it.
    /// - Parameter isComplete: whether the parameters have all required numbers.
    package init(parameters: some Collection<UInt8>, missedOffset: Int? = nil, isComplete: Bool = true) {
        precondition(missedOffset.map { (2..<parameters.count).contains($0) } ?? true, "an offset inside the object")
        var frame: [UInt8] = []
        frame.reserveCapacity(Self.prefix.count + parameters.count + Self.suffix.count)
        frame += Self.prefix
        frame += parameters
        frame += Self.suffix
        self.frame = frame
        self.missedOffset = missedOffset.map { $0 + Self.prefix.count }
        self.isComplete = isComplete
    }

    /// Writes the reply's parameters as one JSON object.
    ///
    /// - Parameter json: writer to use. It is empty afterwards.
    /// - Parameter countsMissed: whether the number of missed messages is inserted at the first position that the value
    ///   marks.
    package convenience init(json value: some JSONWritable, with json: inout JSONWriter, countsMissed: Bool = false) {
        json.removeAll()
        value.write(into: &json)
        self.init(
            parameters: json.bytes, missedOffset: countsMissed ? json.marks.first : nil,
            isComplete: !json.lacksNumber)
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
