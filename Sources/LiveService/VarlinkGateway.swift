import JSON
import Linux
import Varlink
import WaymarkInterface
import Web

/// The daemon's own protocol over WebSockets: each WebSocket is a connection to the daemon, each of its messages a call
/// or a reply.
///
/// A browser thus gets what every client gets, and nothing is translated. It can read: methods that change something
/// are refused here, whatever this process is permitted to do. A page that reads slowly is waited for, and meanwhile
/// the daemon replaces messages by newer ones.
final class VarlinkGateway {
    private let reactor: Reactor
    private let socketPath: String
    private let inbox = WebSocketInbox()
    private var connections: [WebSocket: DaemonConnection] = [:]

    /// Where WebSockets are opened.
    static let path = "/varlink"
    /// Name that the page has to offer for it.
    static let subprotocol = "varlink"

    /// Size of what waits for a page from which on the daemon is not read. Unit: bytes.
    private static let mostQueued = 16 * 1024
    /// Statuses of RFC 6455, section 7.4, and of its registry: try again later.
    private static let tryAgainLater: UInt16 = 1013
    private static let unsupportedData: UInt16 = 1003

    /// - Parameter socket: the daemon's socket.
    init(_ reactor: Reactor, socket: String) throws(SystemError) {
        self.reactor = reactor
        socketPath = socket
        try inbox.watch(reactor) { [unowned self] in handle($0) }
    }

    /// Of pages of this server alone.
    var route: WebSocketRoute {
        WebSocketRoute(path: Self.path, subprotocols: [Self.subprotocol], origins: .own, handler: inbox)
    }

    private func handle(_ event: WebSocketInbox.Event) {
        switch event {
        case .opened(let socket): open(socket)
        case .received(let message, let socket): forward(message, from: socket)
        case .drained(let socket): connections[socket]?.isPaused = false
        case .closed(let socket): connections.removeValue(forKey: socket)?.close()
        }
    }

    private func open(_ socket: WebSocket) {
        do throws(SystemError) {
            connections[socket] = try DaemonConnection(
                reactor, socket: socketPath, received: { [unowned self] in deliver($1, of: $0, to: socket) },
                ended: { [unowned self] _ in
                    connections[socket] = nil
                    socket.close(status: Self.tryAgainLater)
                })
        } catch {
            socket.close(status: Self.tryAgainLater)
        }
    }

    private func forward(_ message: WebSocketMessage, from socket: WebSocket) {
        guard let connection = connections[socket] else { return }
        guard !message.isBinary else { return socket.close(status: Self.unsupportedData) }
        do throws(VarlinkError) {
            let call = try CallMessage(message.bytes[...])
            guard Self.permitted.contains(call.method) else { throw .permissionDenied }
            connection.send(message.bytes)
        } catch {
            socket.send(.text(utf8: Self.reply(error)))
        }
    }

    private func deliver(_ reply: ArraySlice<UInt8>, of connection: DaemonConnection, to socket: WebSocket) {
        socket.send(.text(utf8: Array(reply)))
        guard socket.queuedBytes > Self.mostQueued else { return }
        connection.isPaused = true
        socket.notifyWhenDrained()
    }

    private static func reply(_ error: VarlinkError) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("error", error.name)
        if let parameters = error.node {
            json.key("parameters")
            parameters.write(into: &json)
        }
        json.endObject()
        return json.bytes
    }

    /// Methods that read, and need no file descriptor, which a WebSocket cannot carry.
    private static let permitted: Set<String> = {
        let methods =
            ServiceInterface.Call.methods + PoseInterface.Call.methods + SceneInterface.Call.methods
            + StatusInterface.Call.methods
        return Set(methods.filter { !$0.changes && !$0.takesDescriptor }.map { "\($0.name)" })
    }()
}
