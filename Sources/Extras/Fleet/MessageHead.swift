import JSON

/// Beginning of a message. It states the time of the content, according to the newest reading of the clock, and the
/// delay. Both are known only when the message is sent.
package struct MessageHead: Sendable {
    /// Number of the message within its topic and wearer.
    package var sequence: Int64
    /// Time at which the message was made: CLOCK_BOOTTIME of the boot in which it was made. Unit: ns.
    package var time: Int64
    /// Clock of the boot in which the message was made.
    package var clock: ClockReading
    /// UTC at sending. Unit: ns.
    package var sent: Int64
    /// Whether the message is from an earlier boot.
    package var isOfEarlierRun: Bool

    package init(sequence: Int64, time: Int64, clock: ClockReading, sent: Int64, isOfEarlierRun: Bool = false) {
        self.sequence = sequence
        self.time = time
        self.clock = clock
        self.sent = sent
        self.isOfEarlierRun = isOfEarlierRun
    }

    /// Delay from which a message is marked as late. Unit: ns.
    private static let tolerance: Int64 = 5_000_000_000

    /// Delay from `time` to the sending; nil if it is at most `tolerance` and the message is from this boot. Unit:
    /// seconds.
    package var delay: Double? {
        let delay = sent &- clock.utc(time)
        // The clock errors of two boots may exceed the time between them.
        guard !isOfEarlierRun else { return Double(max(delay, 0)) / 1e9 }
        return delay > Self.tolerance ? Double(delay) / 1e9 : nil
    }

    /// Returns a message for Waymark's own topics: the head, followed by the body's members.
    ///
    /// - Parameter body: members of a JSON object, without braces.
    package func message(_ body: [UInt8]) -> [UInt8] {
        var json = JSONWriter(capacity: body.count + 128)
        json.beginObject()
        clock.write(time, into: &json)
        json.member("sequence", sequence)
        json.member("late", delay, .fixed(1))
        return Self.closed(json.bytes, body)
    }

    /// Returns a message for OwnTracks, whose times are whole seconds.
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
