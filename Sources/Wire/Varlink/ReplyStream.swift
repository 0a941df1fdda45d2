import JSON

/// The replies of one call made with `more`, with flow control: a client that reads slowly gets the newest message of
/// each topic, and the number of those it missed.
public final class ReplyStream {
    struct Topic {
        var newest: EncodedMessage?
        /// Messages replaced since the one sent last.
        var missed = 0
    }

    private weak var connection: Connection?
    private var topics: [Topic]
    /// Topics with a message that waits, the longest waiting one first.
    private var waiting: [Int] = []
    /// Called once when the stream ends by the client's doing or the server's, not by `finish`.
    public var onEnd: (() -> Void)?

    init(topics: Int, connection: Connection) {
        self.topics = Array(repeating: Topic(), count: topics)
        self.connection = connection
    }

    /// Whether the client can still get messages.
    public var isOpen: Bool { connection != nil }

    /// Whether the client has taken all that it was sent, as far as its socket's buffer goes: what is offered now goes
    /// out at once. For messages that build on each other, which are better not made while this is false.
    public var isIdle: Bool { waiting.isEmpty && connection?.output.isEmpty == true }

    /// Sends the message, or keeps it as the newest of its topic until the client has read what is on its way; one that
    /// lacks a number is left out.
    public func offer(_ message: EncodedMessage, topic: Int = 0) {
        guard let connection, message.isComplete else { return }
        if waiting.isEmpty, connection.canSendAtOnce {
            connection.send(message, missed: takeMissed(topic, of: message))
            return
        }
        if topics[topic].newest == nil {
            waiting.append(topic)
        } else {
            miss(topic, connection)
        }
        topics[topic].newest = message
    }

    /// Counts a message of a topic that is not sent, for there will soon be a newer one.
    public func skip(topic: Int = 0) {
        guard let connection else { return }
        if topics[topic].newest != nil {
            // Older than the one that is skipped, and of no more use.
            topics[topic].newest = nil
            waiting.removeAll { $0 == topic }
            miss(topic, connection)
        }
        miss(topic, connection)
    }

    /// Counts in the server's statistics a message that is not made, and of which the subscriber learns otherwise.
    public func countMissed() { connection?.countMissed() }

    private func miss(_ topic: Int, _ connection: Connection) {
        topics[topic].missed += 1
        connection.countMissed()
    }

    /// Ends the stream with a last reply, a JSON object, after what still waits.
    public func finish(bytes: [UInt8] = Array("{}".utf8)) {
        guard let connection else { return }
        self.connection = nil
        onEnd = nil
        connection.finishStream(self, reply: bytes)
    }

    /// Ends the stream with a last reply that is written as one JSON object, after what still waits.
    public func finish(json value: some JSONWritable) {
        var json = JSONWriter(capacity: 1024)
        value.write(into: &json)
        guard !json.lacksNumber else { return fail(.methodNotImplemented("")) }
        finish(bytes: json.bytes)
    }

    /// Ends the stream with an error, after what still waits; the error's name with its interface.
    public func fail(_ error: VarlinkError) {
        guard let connection else { return }
        self.connection = nil
        onEnd = nil
        connection.finishStream(self, error: error)
    }

    /// Message that has waited longest, and the number of messages that its reader missed before it.
    func takeWaiting() -> (message: EncodedMessage, missed: Int)? {
        guard let topic = waiting.first, let message = topics[topic].newest else { return nil }
        waiting.removeFirst()
        topics[topic].newest = nil
        return (message, takeMissed(topic, of: message))
    }

    var hasWaiting: Bool { !waiting.isEmpty }

    /// The connection is gone, or the client wants no more.
    func end() {
        guard connection != nil else { return }
        connection = nil
        let handler = onEnd
        onEnd = nil
        handler?()
    }

    /// A message that cannot say the count leaves it to the next that can.
    private func takeMissed(_ topic: Int, of message: EncodedMessage) -> Int {
        guard message.missedOffset != nil else { return 0 }
        defer { topics[topic].missed = 0 }
        return topics[topic].missed
    }
}
