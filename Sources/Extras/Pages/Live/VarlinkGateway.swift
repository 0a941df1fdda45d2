import JSON
import Linux
import Varlink
import WaymarkClient
import WaymarkInterface
import Web

/// Carries the daemon's own protocol over WebSockets. Each WebSocket is a connection to the daemon, and each of its
/// messages is a call or a reply.
///
/// A browser thus has the same interface as every other client, without translation. It can only read, because the
/// gateway refuses methods that change something, whatever permissions this process has. A setting permits the methods
/// by which the page sets or removes a destination. While a page reads slowly, the gateway stops reading from the
/// daemon, which replaces messages by newer ones in the meantime.
package final class VarlinkGateway {
    private let reactor: Reactor
    private let socketPath: String
    private let permitted: Set<String>
    private let inbox = WebSocketInbox()
    private var links: [WebSocket: Link] = [:]

    /// A WebSocket's connection to the daemon. Its calls are made one after the other. Replies, including refusals,
    /// therefore come in the order of the calls, and one client cannot keep the daemon busy with many calls.
    private final class Link {
        var connection: DaemonConnection?
        /// Calls that wait until the previous call has received all its replies.
        var waiting: [[UInt8]] = []
        /// Whether the current call still waits for its last reply.
        var isAsking = false
        /// Whether the current call has several replies.
        var hasMany = false
    }

    static let path = "/varlink"
    /// Subprotocol that the page has to offer.
    static let subprotocol = "varlink"

    /// Number of bytes waiting for a page above which the gateway stops reading from the daemon. Unit: bytes.
    private static let maximumQueuedSize = 16 * 1024
    /// Status "try again later" from RFC 6455, section 7.4, and its registry.
    private static let tryAgainLater: UInt16 = 1013
    private static let unsupportedData: UInt16 = 1003
    private static let policyViolation: UInt16 = 1008
    private static let tooBig: UInt16 = 1009
    /// Maximum number of waiting calls of one WebSocket.
    private static let maximumWaitingCount = 8

    /// - Parameter allowsChanges: whether pages may set the wearer's destination.
    package init(_ reactor: Reactor, socket: String, allowsChanges: Bool) throws(SystemError) {
        permitted = allowsChanges ? Self.reading.union(Self.navigating) : Self.reading
        self.reactor = reactor
        socketPath = socket
        try inbox.watch(reactor) { [unowned self] in handle($0) }
    }

    /// Route for the web server. Browsers may connect only from pages of this server.
    package var route: WebSocketRoute {
        WebSocketRoute(path: Self.path, subprotocols: [Self.subprotocol], origins: .own, handler: inbox)
    }

    private func handle(_ event: WebSocketInbox.Event) {
        switch event {
        case .opened(let socket): open(socket)
        case .received(let message, let socket): take(message, from: socket)
        case .drained(let socket): links[socket]?.connection?.isPaused = false
        case .closed(let socket): links.removeValue(forKey: socket)?.connection?.close()
        }
    }

    private func open(_ socket: WebSocket) {
        let link = Link()
        do throws(SystemError) {
            link.connection = try DaemonConnection(
                reactor, socket: socketPath, received: { [unowned self] in deliver($1, to: socket) },
                ended: { [unowned self] _ in
                    links[socket] = nil
                    socket.close(status: Self.tryAgainLater)
                })
            links[socket] = link
        } catch {
            socket.close(status: Self.tryAgainLater)
        }
    }

    private func end(_ socket: WebSocket, status: UInt16) {
        links.removeValue(forKey: socket)?.connection?.close()
        socket.close(status: status)
    }

    // MARK: - Calls

    private func take(_ message: WebSocketMessage, from socket: WebSocket) {
        guard let link = links[socket] else { return }
        guard !message.isBinary else { return end(socket, status: Self.unsupportedData) }
        guard link.waiting.count < Self.maximumWaitingCount else { return end(socket, status: Self.policyViolation) }
        link.waiting.append(message.bytes)
        forward(link, of: socket)
    }

    /// Makes waiting calls until one of them needs a reply.
    private func forward(_ link: Link, of socket: WebSocket) {
        while !link.isAsking, !link.waiting.isEmpty {
            let bytes = link.waiting.removeFirst()
            do throws(VarlinkError) {
                let call = try CallMessage(bytes[...])
                guard permitted.contains(call.method) else { throw .permissionDenied }
                (link.isAsking, link.hasMany) = (!call.oneway, call.more)
                link.connection?.send(bytes)
            } catch {
                socket.send(.text(utf8: Self.reply(error)))
            }
        }
    }

    // MARK: - Replies

    private func deliver(_ reply: ArraySlice<UInt8>, to socket: WebSocket) {
        guard let link = links[socket] else { return }
        guard socket.send(.text(utf8: Array(reply))) else { return end(socket, status: Self.tooBig) }
        if !link.hasMany || !reply.hasSuffix(Self.continues) {
            link.isAsking = false
            forward(link, of: socket)
        }
        guard socket.queuedBytes > Self.maximumQueuedSize else { return }
        link.connection?.isPaused = true
        socket.notifyWhenDrained()
    }

    /// Last bytes of a reply that other replies follow, as the daemon writes it.
    private static let continues = Array(#""continues":true}"#.utf8)

    private static func reply(_ error: VarlinkError) -> [UInt8] {
        JSONWriter.object { json in
            json.member("error", error.name)
            json.member("parameters", error.node)
        }
    }

    /// Methods that only read, and that need no file descriptor, because a WebSocket cannot carry one.
    private static let reading: Set<String> = {
        let methods =
            ServiceInterface.Call.methods + PoseInterface.Call.methods + SceneInterface.Call.methods
            + StatusInterface.Call.methods + AidInterface.Call.methods
        let names = methods.filter { $0.right == .reading && !$0.takesDescriptor }.map { "\($0.name)" }
        // Of the plan's methods, only the one that returns the lines around the wearer. The others return whole
        // buildings.
        return Set(names + ["org.waymark.Plan.GetLines"])
    }()

    /// Methods that set or remove the wearer's destination.
    private static let navigating = Set(
        [SceneInterface.NavigateTo.traits, SceneInterface.Reroute.traits, SceneInterface.ClearRoute.traits].map {
            "\($0.name)"
        })
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
