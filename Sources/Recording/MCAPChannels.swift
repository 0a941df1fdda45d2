/// Channels that an MCAP file declares, and the number of messages of each.
///
/// A chunk has a checksum, but a channel has none, nor has the head of a chunk's record. Damage there would leave
/// measurements out, and the poses of the rest would be others: so what does not fit together is a flaw.
struct MCAPChannels {
    /// Contradiction within a file.
    struct Flaw: Error {
        var problem: String
    }

    private struct Channel {
        var name: String
        var encoding: String
        /// Nil for a channel of another program.
        var topic: Topic?
        var messages: UInt64 = 0
    }

    /// Bytes of a channel's name or encoding.
    private static let longestName = 256

    /// Whether `MCAPWriter` made the file: it numbers the messages of each channel from 0, without gaps.
    private var isOurs = false
    private var channels: [UInt16: Channel] = [:]
    /// Messages of all channels so far.
    private(set) var messages: UInt64 = 0

    /// Takes the file's header.
    mutating func takeHeader(_ bytes: UnsafeRawBufferPointer) {
        var fields = MCAPFields(bytes)
        guard fields.text() != nil, let library = fields.text() else { return }
        isOurs = library == MCAP.library
    }

    /// Takes a channel; one of another program in the same file is passed over.
    ///
    /// - Throws: for one that was declared as another before, for one of ours whose name is none of ours, and for a
    ///   name or encoding of more than 256 bytes.
    mutating func declare(_ bytes: UnsafeRawBufferPointer) throws(Flaw) {
        var fields = MCAPFields(bytes)
        guard let id = fields.integer(UInt16.self), fields.integer(UInt16.self) != nil, let name = fields.text(),
            let encoding = fields.text()
        else { throw Flaw(problem: "a channel's record is too short") }
        // Names are kept, of as many channels as there are numbers.
        guard name.utf8.count <= Self.longestName, encoding.utf8.count <= Self.longestName else {
            throw Flaw(problem: "the name or encoding of channel \(id) is longer than \(Self.longestName) bytes")
        }
        if let known = channels[id] {
            guard known.name == name, known.encoding == encoding else {
                throw Flaw(problem: "channel \(id) is declared twice, and as another one the second time")
            }
            return
        }
        let topic = encoding == "json" ? Topic(name: name) : nil
        // Numbers beyond are for topics that a later version adds.
        guard topic != nil || !isOurs || Int(id) > Topic.allCases.count else {
            throw Flaw(problem: "channel \(id) is damaged")
        }
        channels[id] = Channel(name: name, encoding: encoding, topic: topic)
    }

    /// Counts a message, and returns its topic; nil for a channel of another program.
    ///
    /// - Throws: for a channel that was not declared, and in a file of ours where messages before this one are missing.
    mutating func take(channel id: UInt16, sequence: UInt32) throws(Flaw) -> Topic? {
        guard let index = channels.index(forKey: id) else {
            throw Flaw(problem: "a message of channel \(id), which the file does not declare")
        }
        let channel = channels.values[index]
        guard !isOurs || sequence == UInt32(truncatingIfNeeded: channel.messages) else {
            throw Flaw(problem: "messages of \(channel.name.printable) before this one are missing")
        }
        channels.values[index].messages += 1
        messages += 1
        return channel.topic
    }

    /// Compares what has come with the statistics at the end of a file.
    ///
    /// - Throws: when they count other messages than have come.
    func check(statistics bytes: UnsafeRawBufferPointer) throws(Flaw) {
        var fields = MCAPFields(bytes)
        guard let stated = fields.integer(UInt64.self) else { throw Flaw(problem: "the statistics are too short") }
        guard stated == messages else {
            throw Flaw(problem: "the file had \(stated) messages, and \(messages) were found")
        }
    }
}
