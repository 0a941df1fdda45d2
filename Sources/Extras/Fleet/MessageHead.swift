import JSON

/// What a message begins with that is known only when it is sent: its time, by the clock as it is known then, and that
/// it is late.
package struct MessageHead: Sendable {
    /// Number of the message among those of its topic and wearer.
    package var sequence: Int64
    /// CLOCK_BOOTTIME of the run of the computer in which it was made. Unit: ns.
    package var time: Int64
    /// Clock of that run of the computer.
    package var clock: ClockReading
    /// UTC of the sending. Unit: ns.
    package var sent: Int64
    /// Whether it is of an earlier run of the computer.
    package var isOfEarlierRun: Bool

    package init(sequence: Int64, time: Int64, clock: ClockReading, sent: Int64, isOfEarlierRun: Bool = false) {
        self.sequence = sequence
        self.time = time
        self.clock = clock
        self.sent = sent
        self.isOfEarlierRun = isOfEarlierRun
    }

    /// Delay from which on a message says that it is late. Unit: ns.
    private static let tolerance: Int64 = 5_000_000_000

    /// Time from what the message is about to its sending; nil for one that is sent at once. Unit: seconds.
    package var delay: Double? {
        let delay = sent &- clock.utc(time)
        // The clocks of two runs may be wrong by more than what lies between them.
        guard !isOfEarlierRun else { return Double(max(delay, 0)) / 1e9 }
        return delay > Self.tolerance ? Double(delay) / 1e9 : nil
    }

    /// A message of Waymark's own topics: the head, and then the body's members.
    ///
    /// - Parameter body: members of an object in JSON, without braces.
    package func message(_ body: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: body.count + 128)
        json.beginObject()
        json.key("time")
        json.value(rfc3339: clock.utc(time))
        json.member("clock", word: clock.quality.word)
        json.member("sequence", sequence)
        json.member("late", delay, .fixed(1))
        return Self.closed(json.bytes, body)
    }

    /// A message of OwnTracks, whose times are whole seconds.
    package func ownTracksMessage(_ body: [UInt8]) -> [UInt8] {
        let second: Int64 = 1_000_000_000
        var json = JSONWriter(capacity: body.count + 64)
        json.beginObject()
        json.member("_type", word: "location")
        json.member("tst", clock.utc(time) / second)
        if delay != nil { json.member("created_at", sent / second) }
        return Self.closed(json.bytes, body)
    }

    private static func closed(_ head: [UInt8], _ body: [UInt8]) -> [UInt8] {
        var message = head
        message.reserveCapacity(head.count + body.count + 2)
        if !body.isEmpty { message.append(UInt8(ascii: ",")) }
        message += body
        message.append(UInt8(ascii: "}"))
        return message
    }
}
