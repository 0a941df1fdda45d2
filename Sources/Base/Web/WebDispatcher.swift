import CWebServer
import Glibc
import Linux
import Synchronization

/// Receives the callbacks of the C library, on the server's thread.
package final class WebDispatcher: Sendable {
    private let site: WebSite
    private let address: NetworkAddress
    private let limits: WebLimits
    private let outbox: WebOutbox
    private let state = Mutex(State())

    private var connections: ShareLimit { ShareLimit(all: limits.connections) }

    private struct State {
        var server: WebServerPointer?
        var sockets: [UInt64: Connected] = [:]
        var held = UserShares()
    }

    private struct Connected {
        let socket: WebSocket
        let user: UInt32
        let handler: any WebSocketHandler
    }

    package init(_ site: WebSite, _ address: NetworkAddress, _ limits: WebLimits, _ outbox: WebOutbox) {
        self.site = site
        self.address = address
        self.limits = limits
        self.outbox = outbox
    }

    /// Makes the server. It calls this object for as long as it exists.
    package func makeServer(_ listener: Int32) throws(WebServerError) -> WebServerPointer {
        var isMissing = false
        var problem = [CChar](repeating: 0, count: 256)
        let made = withSettings(listener) { settings in
            cweb_create(&settings, &isMissing, &problem, problem.count)
        }
        guard let made else {
            let reason = problem.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            throw isMissing ? .libraryMissing(reason: reason) : .failed(address, reason: reason)
        }
        let server = WebServerPointer(pointer: made)
        state.withLock { $0.server = server }
        return server
    }

    private func withSettings(
        _ listener: Int32, _ body: (inout cweb_settings) -> OpaquePointer?
    ) -> OpaquePointer? {
        let names = Set(site.sockets.flatMap(\.subprotocols)).sorted().map { strdup($0) }
        defer { for name in names { free(name) } }
        return names.map { UnsafePointer($0) }.withUnsafeBufferPointer { names in
            var settings = cweb_settings()
            settings.listener = listener
            settings.connections = UInt32(limits.connections)
            settings.header_bytes = UInt16(limits.requestBytes)
            settings.message_bytes = limits.messageBytes
            settings.send_buffer_bytes = Int32(limits.sendBufferBytes)
            settings.request_seconds = UInt16(limits.requestSeconds)
            settings.response_seconds = UInt16(limits.responseSeconds)
            settings.silence_seconds = UInt16(limits.silenceSeconds)
            settings.subprotocols = names.baseAddress
            settings.subprotocol_count = names.count
            settings.handlers = handlers
            return body(&settings)
        }
    }

    private var handlers: cweb_handlers {
        cweb_handlers(
            context: Unmanaged.passUnretained(self).toOpaque(),
            user: { TCPPeer.user($1) },
            has_room: { WebDispatcher.of($0).connections.reached(by: $1, total: Int($2), own: Int($3)) == nil },
            yields: { WebDispatcher.of($0).connections.yields($1, to: $2, total: Int($3), own: Int($4)) },
            request: { WebDispatcher.of($0).decide($1!.pointee, $2!) },
            opened: { WebDispatcher.of($0).opened($1, of: $2, route: Int($3), subprotocol: String(cString: $4!)) },
            received: { context, socket, isBinary, bytes, length in
                let content = Array(UnsafeRawBufferPointer(start: bytes, count: length))
                WebDispatcher.of(context).received(WebSocketMessage(isBinary: isBinary, bytes: content), socket)
            },
            sent: { WebDispatcher.of($0).sent($1, $2) },
            closed: { WebDispatcher.of($0).closed($1) },
            woken: { WebDispatcher.of($0).perform() })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> WebDispatcher {
        Unmanaged<WebDispatcher>.fromOpaque(context!).takeUnretainedValue()
    }
}

// MARK: callbacks

extension WebDispatcher {
    /// Returns the index of the route of a new WebSocket. For any other request, sets the response.
    private func decide(_ asked: cweb_request, _ reply: OpaquePointer) -> Int32 {
        let request = WebRequest(asked)
        var decision = site.decide(request, at: address)
        if case .open = decision, let refusal = refusal(ofSocketFor: asked.user) { decision = .respond(refusal) }
        switch decision {
        case .open(let index): return Int32(index)
        case .respond(let response):
            let bytes = response.encoded(hasBody: request.method != "HEAD")
            // If memory runs out, there is no response and the connection is closed.
            _ = cweb_reply_set(reply, bytes, bytes.count)
            return -1
        }
    }

    private func refusal(ofSocketFor user: UInt32) -> WebResponse? {
        let limit = ShareLimit(all: limits.sockets)
        switch state.withLock({ limit.reached(by: user, $0.held) }) {
        case nil: return nil
        case .ofUser(let maximum):
            return .refusal(503, "you have \(maximum) WebSockets open, the limit of a user: close some first")
        case .all(let maximum): return .refusal(503, "\(maximum) WebSockets are open, the limit: close some first")
        }
    }

    private func opened(_ identifier: UInt64, of user: UInt32, route index: Int, subprotocol: String) {
        let route = site.sockets[index]
        let socket = WebSocket(
            identifier: identifier, path: route.path, subprotocol: subprotocol, outbox: outbox,
            limit: limits.queueBytes)
        state.withLock {
            $0.sockets[identifier] = Connected(socket: socket, user: user, handler: route.handler)
            $0.held.add(user)
        }
        route.handler.opened(socket)
    }

    private func received(_ message: WebSocketMessage, _ identifier: UInt64) {
        guard let connected = connected(identifier) else { return }
        connected.handler.received(message, from: connected.socket)
    }

    /// Called when bytes have left the queue of a socket.
    private func sent(_ identifier: UInt64, _ bytes: Int) {
        guard let connected = connected(identifier) else { return }
        connected.socket.left(bytes)
        if connected.socket.takeDrained() { connected.handler.drained(connected.socket) }
    }

    private func closed(_ identifier: UInt64) {
        let ended = state.withLock { state in
            let ended = state.sockets.removeValue(forKey: identifier)
            if let ended { state.held.remove(ended.user) }
            return ended
        }
        guard let connected = ended else { return }
        connected.socket.end()
        connected.handler.closed(connected.socket)
    }

    private func connected(_ identifier: UInt64) -> Connected? { state.withLock { $0.sockets[identifier] } }

    /// Executes the commands that other threads have posted.
    private func perform() {
        guard let server = state.withLock({ $0.server })?.pointer else { return }
        for command in outbox.take() {
            switch command {
            case .send(let identifier, let message):
                let isQueued = cweb_send(server, identifier, message.isBinary, message.bytes, message.bytes.count)
                if !isQueued { sent(identifier, message.bytes.count) }
            case .close(let identifier, let status): cweb_close(server, identifier, status)
            case .reportDrained(let identifier): sent(identifier, 0)
            }
        }
    }
}

extension WebRequest {
    fileprivate init(_ request: cweb_request) {
        self.init(
            method: String(cString: request.method), path: String(cString: request.path),
            token: String(cString: request.token), host: String(cString: request.host),
            origin: String(cString: request.origin), accept: String(cString: request.accept))
        isTooLong = request.too_long
        guard request.upgrade else { return }
        let offered = String(cString: request.subprotocols).split(whereSeparator: { $0 == "," || $0 == " " })
        upgrade = Upgrade(version: String(cString: request.version), subprotocols: offered.map(String.init))
    }
}
