/// Path at which clients get WebSockets.
package struct WebSocketRoute: Sendable {
    /// Pages that may connect. A browser sends the origin of the page; other clients have none and may always connect.
    package enum Origins: Hashable, Sendable {
        /// Pages of this server.
        case own
        /// Pages of this server and of these origins, such as `https://app.foxglove.dev`.
        case these([String])
        /// All pages, of any host.
        case any
    }

    /// Path, which begins with a slash.
    package let path: String
    /// Subprotocols, of which the client chooses one; empty for none.
    package let subprotocols: [String]
    package let origins: Origins
    package let handler: any WebSocketHandler

    /// Creates a route. Clients have to offer one of the subprotocols, if there are any.
    package init(path: String, subprotocols: [String] = [], origins: Origins = .own, handler: any WebSocketHandler) {
        self.path = path
        self.subprotocols = subprotocols
        self.origins = origins
        self.handler = handler
    }

    func takes(_ chosen: String?, offered: [String]) -> Bool {
        if subprotocols.isEmpty { return offered.isEmpty }
        return chosen.map { subprotocols.contains($0) } ?? false
    }
}

/// Receives the events of WebSockets, in order. It is called on the server's thread, which it must not block. Programs
/// with a reactor use a `WebSocketInbox`.
package protocol WebSocketHandler: Sendable {
    /// Called when a client has connected.
    func opened(_ socket: WebSocket)
    /// Called when a client has sent a message.
    func received(_ message: WebSocketMessage, from socket: WebSocket)
    /// Called when the client has taken all queued messages, after `WebSocket.notifyWhenDrained`.
    func drained(_ socket: WebSocket)
    /// Called when the connection has ended; no further events follow.
    func closed(_ socket: WebSocket)
}

extension WebSocketHandler {
    /// Does nothing, for handlers that never call `WebSocket.notifyWhenDrained`.
    package func drained(_ socket: WebSocket) {}
}
