import Synchronization

package struct WebSocketMessage: Hashable, Sendable {
    /// Whether the content is binary; otherwise it is UTF-8 text.
    package let isBinary: Bool
    package let bytes: [UInt8]

    package static func text(_ text: String) -> WebSocketMessage {
        WebSocketMessage(isBinary: false, bytes: Array(text.utf8))
    }

    package static func text(utf8 bytes: [UInt8]) -> WebSocketMessage {
        WebSocketMessage(isBinary: false, bytes: bytes)
    }

    package static func binary(_ bytes: [UInt8]) -> WebSocketMessage { WebSocketMessage(isBinary: true, bytes: bytes) }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A client's WebSocket connection. All methods are thread-safe and return immediately.
package final class WebSocket: Sendable, Hashable {
    /// Distinguishes this connection from all others of its server.
    package let identifier: UInt64
    package let path: String
    /// Chosen subprotocol; empty for none.
    package let subprotocol: String
    let outbox: WebOutbox
    private let queued = Atomic(0)
    private let isClosed = Atomic(false)
    private let isAwaited = Atomic(false)
    private let limit: Int

    init(identifier: UInt64, path: String, subprotocol: String, outbox: WebOutbox, limit: Int) {
        self.identifier = identifier
        self.path = path
        self.subprotocol = subprotocol
        self.outbox = outbox
        self.limit = limit
    }

    /// Size of the messages that the client has not taken yet, not counting those in the kernel's buffer. A program
    /// that sends states should skip a state unless this is 0, so that the client next gets the newest state. Unit:
    /// bytes.
    package var queuedBytes: Int { queued.load(ordering: .relaxed) }

    /// Queues a message.
    ///
    /// - Returns: false if the message was not queued, because the queue is full or the connection has ended.
    @discardableResult
    package func send(_ message: WebSocketMessage) -> Bool {
        let size = message.bytes.count
        guard queued.add(size, ordering: .relaxed).newValue <= limit, !isClosed.load(ordering: .relaxed),
            outbox.post(.send(identifier, message))
        else {
            left(size)
            return false
        }
        return true
    }

    /// Requests one call of the handler's `drained`, when the client has taken all queued messages. The call follows
    /// immediately if none are queued.
    package func notifyWhenDrained() {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        if queued.load(ordering: .sequentiallyConsistent) == 0 { outbox.post(.reportDrained(identifier)) }
    }

    /// Whether to call `drained` now; true once for each request.
    func takeDrained() -> Bool {
        guard queued.load(ordering: .sequentiallyConsistent) == 0 else { return false }
        return isAwaited.exchange(false, ordering: .sequentiallyConsistent)
    }

    /// Closes the connection after the queued messages, with a status of RFC 6455, section 7.4.
    package func close(status: UInt16 = 1000) { outbox.post(.close(identifier, status)) }

    /// Called when the connection has ended.
    func end() { isClosed.store(true, ordering: .relaxed) }

    /// Called when bytes have left the queue.
    func left(_ bytes: Int) { queued.subtract(bytes, ordering: .sequentiallyConsistent) }

    package static func == (one: WebSocket, other: WebSocket) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
