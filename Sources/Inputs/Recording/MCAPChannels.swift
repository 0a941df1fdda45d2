/// Channels of an MCAP file, and the numbers of messages read and missing in each.
///
/// Chunks have a checksum, but channels outside of the chunks and the heads of chunk records have none. Messages that
/// are lost to damage there are detected by their sequence numbers, and by the statistics at the end of the file.
struct MCAPChannels {
    /// Contradiction within a file.
    struct Flaw: Error {
        var problem: String
    }

    /// Properties of a message that its channel determines.
    struct Arrival {
        /// Nil for a channel of another program.
        var topic: Topic?
        var name: String
        /// Number of the channel's messages that are missing directly before this one.
        var missing: UInt64
        /// Whether damage has been found since the channel's previous message.
        var isBehindDamage: Bool
    }

    private struct Channel {
        var name: String
        var encoding: String
        /// Nil for a channel of another program.
        var topic: Topic?
        var messages: UInt64 = 0
        /// Number of messages missing before the latest message.
        var missing: UInt64 = 0
        /// Number of damaged places before the latest message.
        var damages = 0

        /// Number of messages up to the latest one, including missing messages.
        var taken: UInt64 {
            var sum = messages
            sum.addClamped(missing)
            return sum
        }
    }

    private enum Origin {
        /// The header has not been read.
        case unknown
        /// The file was written by `MCAPWriter`, whose topics have the same channel numbers in each file, and which
        /// numbers the messages of each channel from 0 without gaps.
        case waymark
        case other
    }

    /// Maximum length of a channel's name or encoding. Unit: bytes.
    private static let maximumNameLength = 256

    private var origin = Origin.unknown
    private var channels: [UInt16: Channel] = [:]
    /// Whether the messages missing before a message can be counted.
    var countsMissing: Bool { origin == .waymark }
    /// Whether all messages are in chunks. If so, a message record outside of the chunks must be another record with a
    /// damaged opcode, and its bytes would look like a sequence number far ahead.
    var areInChunksAlone: Bool { origin == .waymark }

    mutating func takeHeader(_ bytes: UnsafeRawBufferPointer) {
        var fields = MCAPFields(bytes)
        guard fields.text() != nil, let library = fields.text() else { return }
        origin = library == MCAP.library ? .waymark : .other
    }

    /// Adds a channel; skips a channel of another program in the same file.
    ///
    /// - Returns: a problem if the channel was declared differently before, if it is one of Waymark's and its name does
    ///   not match its number, or if a name or encoding is longer than 256 bytes; otherwise nil.
    mutating func declare(_ bytes: UnsafeRawBufferPointer) -> String? {
        var fields = MCAPFields(bytes)
        guard let id = fields.integer(UInt16.self), fields.integer(UInt16.self) != nil, let name = fields.text(),
            let encoding = fields.text()
        else { return "a channel's record is too short" }
        // Names are kept in memory, possibly for as many channels as there are 16-bit numbers.
        guard name.utf8.count <= Self.maximumNameLength, encoding.utf8.count <= Self.maximumNameLength else {
            return "the name or encoding of channel \(id) is longer than \(Self.maximumNameLength) bytes"
        }
        if let known = channels[id] ?? (origin == .waymark ? own(id) : nil) {
            let isSame = known.name == name && known.encoding == encoding
            return isSame ? nil : "channel \(id) is damaged: it is declared as two different ones"
        }
        channels[id] = Channel(name: name, encoding: encoding, topic: encoding == "json" ? Topic(name: name) : nil)
        return nil
    }

    /// Waymark's channel of this number; nil if another program wrote the file, or if a later version added the number.
    private func own(_ id: UInt16) -> Channel? {
        guard origin != .other, let topic = Topic(rawValue: Int(id) - 1) else { return nil }
        return Channel(name: topic.name, encoding: "json", topic: topic)
    }

    /// Counts a message.
    ///
    /// - Parameter damages: number of damaged places so far.
    /// - Throws: if the channel is not declared, or if the message was read before (detected only in Waymark's files).
    mutating func take(channel id: UInt16, sequence: UInt32, damages: Int) throws(Flaw) -> Arrival {
        if channels[id] == nil { channels[id] = own(id) }
        guard let index = channels.index(forKey: id) else {
            throw Flaw(problem: "a message of channel \(id), which the file does not declare")
        }
        let channel = channels.values[index]
        let missing = sequence &- UInt32(truncatingIfNeeded: channel.taken)
        guard !countsMissing || missing < 1 << 31 else {
            throw Flaw(problem: "messages of \(channel.name.printable) are not in their order")
        }
        let arrival = Arrival(
            topic: channel.topic, name: channel.name, missing: countsMissing ? UInt64(missing) : 0,
            isBehindDamage: damages > channel.damages)
        channels.values[index].messages += 1
        channels.values[index].missing.addClamped(arrival.missing)
        channels.values[index].damages = damages
        return arrival
    }

    /// Messages that the statistics count but that were not read.
    struct Missing {
        var name: String
        /// Number of messages that were not known to be missing before.
        var count: UInt64
        /// Whether the messages can only be missing at the last damaged place.
        var isAtLast: Bool
    }

    /// Compares the read messages with the statistics at the end of a file.
    ///
    /// - Parameter damages: total number of damaged places.
    func missing(of statistics: MCAPStatistics, damages: Int) -> [Missing] {
        statistics.channels.sorted { $0.key < $1.key }.compactMap { id, stated in
            let channel = channels[id] ?? own(id)
            let known = channel?.taken ?? 0
            guard stated > known else { return nil }
            let before = countsMissing ? channel?.damages ?? 0 : 0
            return Missing(
                name: channel?.name ?? "channel \(id)", count: stated - known, isAtLast: damages - before <= 1)
        }
    }
}

struct MCAPStatistics {
    /// Log time of the first message.
    var start: UInt64
    /// Log time of the last message.
    private var end: UInt64
    /// Number of messages by channel.
    var channels: [UInt16: UInt64] = [:]

    init?(_ bytes: UnsafeRawBufferPointer) {
        var fields = MCAPFields(bytes)
        guard fields.integer(UInt64.self) != nil, fields.integer(UInt16.self) != nil,
            fields.integer(UInt64.self) != nil, fields.integer(UInt64.self) != nil,
            let start = fields.integer(UInt64.self), let end = fields.integer(UInt64.self),
            fields.integer(UInt32.self) != nil
        else { return nil }
        (self.start, self.end) = (start, end)
        while let channel = fields.integer(UInt16.self), let count = fields.integer(UInt64.self) {
            channels[channel] = count
        }
    }

    /// Range of the log times of the messages; nil if the statistics do not state it.
    var logTimes: ClosedRange<UInt64>? { end > 0 && start <= end ? start...end : nil }
}
