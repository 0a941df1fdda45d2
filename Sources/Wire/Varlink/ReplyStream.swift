import JSON

/// Replies of one call made with `more`, with flow control. A slow client gets the newest message of each topic and the
/// number of messages that it missed.
package final class ReplyStream {
    struct Topic {
        var newest: EncodedMessage?
        /// Number of messages that have been replaced since the last one was sent.
        var missed = 0
    }

    private weak var connection: Connection?
    private var topics: [Topic]
    /// Topics with a waiting message. The topic that has waited longest comes first.
    private var waiting: [Int] = []
    /// Called once when the client or the server ends the stream, but not when `finish` ends it.
    package var onEnd: (() -> Void)?

    init(topics: Int, connection: Connection) {
        self.topics = Array(repeating: Topic(), count: topics)
        self.connection = connection
    }

    /// Whether the client can still receive messages.
    package var isOpen: Bool { connection != nil }

    /// Whether the kernel has accepted all earlier output, so that the next message will be sent at once. While this is
    /// false, no messages that build on each other should be made.
    package var isIdle: Bool { waiting.isEmpty && connection?.output.isEmpty == true }

    /// Sends the message, or keeps it as its topic's newest until the client has read earlier output. Drops a message
    /// that lacks a required number.
    package func offer(_ message: EncodedMessage, topic: Int = 0) {
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

    /// Counts a message of a topic as missed. The caller does not send it, because a newer one will follow soon.
    package func skip(topic: Int = 0) {
        guard let connection else { return }
        if topics[topic].newest != nil {
            // The waiting message is older than the skipped one, so it is useless.
            topics[topic].newest = nil
            waiting.removeAll { $0 == topic }
            miss(topic, connection)
        }
        miss(topic, connection)
    }

    /// Counts a missed message only in the server's statistics. The message was not made, and the subscriber learns the
    /// number of missed messages in another way.
    package func countMissed() { connection?.countMissed() }

    private func miss(_ topic: Int, _ connection: Connection) {
        topics[topic].missed += 1
        connection.countMissed()
    }

    /// Ends the stream with a last reply, a JSON object. It is sent after the messages that are queued.
    package func finish(bytes: [UInt8] = Array("{}".utf8)) { finish(.reply(bytes)) }

    /// Ends the stream with a last reply, written as one JSON object. It is sent after the messages that are queued.
    package func finish(json value: some JSONWritable) {
        var json = JSONWriter(capacity: 1024)
        value.write(into: &json)
        guard !json.lacksNumber else { return fail(.methodNotImplemented("")) }
        finish(bytes: json.bytes)
    }

    /// Ends the stream with an error, which is sent after the messages that are queued. The error's name includes its
    /// interface.
    package func fail(_ error: VarlinkError) { finish(.error(error)) }

    private func finish(_ answer: Connection.Answer) {
        guard let connection else { return }
        self.connection = nil
        onEnd = nil
        connection.finishStream(self, answer)
    }

    /// Takes the message that has waited longest, and the number of messages that the client missed before it.
    func takeWaiting() -> (message: EncodedMessage, missed: Int)? {
        guard let topic = waiting.first, let message = topics[topic].newest else { return nil }
        waiting.removeFirst()
        topics[topic].newest = nil
        return (message, takeMissed(topic, of: message))
    }

    var hasWaiting: Bool { !waiting.isEmpty }

    /// Ends the stream because the connection is gone or the client ends it.
    func end() {
        guard connection != nil else { return }
        connection = nil
        let handler = onEnd
        onEnd = nil
        handler?()
    }

    /// Returns the number of missed messages of a topic if the message can carry it. Otherwise returns 0, and a later
    /// message will carry the number.
    private func takeMissed(_ topic: Int, of message: EncodedMessage) -> Int {
        guard message.missedOffset != nil else { return 0 }
        defer { topics[topic].missed = 0 }
        return topics[topic].missed
    }
}
