import Linux
import Synchronization

/// Passes WebSocket events from the server's thread to the reactor of another thread.
///
/// A socket is closed, with status 1008, if its client sends messages faster than the reactor handles them.
package final class WebSocketInbox: WebSocketHandler {
    package enum Event: Sendable {
        case opened(WebSocket)
        case received(WebSocketMessage, WebSocket)
        /// The client has taken all queued messages, after `WebSocket.notifyWhenDrained`.
        case drained(WebSocket)
        case closed(WebSocket)
    }

    private struct State {
        var events: [Event] = []
        /// Size of the queued events. Unit: bytes.
        var size = 0
        /// Sockets that are being closed because the event of their opening did not fit. The reactor was not informed
        /// of them.
        var refused: Set<UInt64> = []
    }

    private let state = Mutex(State())
    private let arrived = EventDescriptor()
    private let limit: Int
    /// Size of an event without the content of its message. Unit: bytes.
    private static let eventSize = 64

    /// Creates an inbox for at most `limit` bytes of events that the reactor has not handled.
    package init(limit: Int = 1024 * 1024) { self.limit = limit }

    /// Calls `handler` with each event, in order.
    @discardableResult
    package func watch(_ reactor: Reactor, handler: @escaping (Event) -> Void) throws(SystemError) -> Reactor.Watch {
        try reactor.watch(arrived.descriptor, .reading) { [unowned self] _ in
            for event in take() { handler(event) }
        }
    }

    package func opened(_ socket: WebSocket) {
        if append(.opened(socket), size: Self.eventSize) { return }
        state.withLock { _ = $0.refused.insert(socket.identifier) }
        socket.close(status: 1008)
    }

    package func received(_ message: WebSocketMessage, from socket: WebSocket) {
        guard !state.withLock({ $0.refused.contains(socket.identifier) }) else { return }
        if append(.received(message, socket), size: Self.eventSize + message.bytes.count) { return }
        socket.close(status: 1008)
    }

    /// Queues the event for the reactor, even beyond the limit, because at most one such event follows each request.
    package func drained(_ socket: WebSocket) { append(.drained(socket), size: 0) }

    /// Queues the event for the reactor, even beyond the limit, because there is one such event for each socket that
    /// was opened.
    package func closed(_ socket: WebSocket) {
        guard state.withLock({ $0.refused.remove(socket.identifier) }) == nil else { return }
        append(.closed(socket), size: 0)
    }

    /// Returns whether there is space for the event.
    @discardableResult
    private func append(_ event: Event, size: Int) -> Bool {
        let isKept = state.withLock { state in
            guard size == 0 || state.size + size <= limit else { return false }
            state.size += size
            state.events.append(event)
            return true
        }
        if isKept { arrived.signal() }
        return isKept
    }

    private func take() -> [Event] {
        arrived.clear()
        return state.withLock { state in
            defer {
                state.events = []
                state.size = 0
            }
            return state.events
        }
    }
}
