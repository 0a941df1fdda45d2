import CWebServer
import Glibc
import Linux
import Pages
import Synchronization
import TestTools
import Web

/// Readers of what clients send to `waymark serve` and to the bridge's metrics: requests, and frames of WebSockets.
let webParsers = [
    Parser(name: "http") { bytes in
        pages.withLock { server in
            server.meet { client in
                client.send(bytes)
                server.turn(for: client)
            }
        }
    },
    Parser(name: "websocket") { bytes in
        // The protocol is chosen by the first byte; frames follow.
        guard let choice = bytes.first else { return }
        sockets.withLock { $0.serve(choice == UInt8(ascii: "v") ? "/varlink" : "/", frames: bytes.dropFirst()) }
    },
]

private let pages = Mutex(
    {
        var site = WebSite()
        site.pages["/"] = { _ in WebResponse(text: "root") }
        site.pages["/metrics"] = { WebResponse(text: "accept=\($0.accept)") }
        site.sockets = [WebSocketRoute(path: "/socket", subprotocols: ["a.v1", "b.v1"], handler: Silence())]
        site.hostNames = ["board.local"]
        return TurnedServer(site)
    }())
private let sockets = Mutex(ServedSockets())

/// A server whose turns are taken by the thread that feeds it, so that what happens depends on the input alone.
private final class TurnedServer {
    private let port: UInt16
    private let dispatcher: WebDispatcher
    private let server: WebServerPointer

    /// Port by which requests have to name the server: the one that it listens at differs from run to run.
    private static let namedPort: UInt16 = 9469
    /// Turns in which a server does all that it can do with what a client has sent: at most some 4 KB a turn are read.
    private static let turns = 12

    init(_ site: WebSite) {
        let outbox = WebOutbox()
        dispatcher = WebDispatcher(site, .loopback(port: Self.namedPort), WebLimits(), outbox)
        do {
            let listener = try TCPListener(.loopback(port: 0))
            port = listener.address.port
            server = try dispatcher.makeServer(fcntl(listener.descriptor, F_DUPFD_CLOEXEC, 0))
        } catch {
            preconditionFailure("no server: \(error)")
        }
        outbox.open(server)
    }

    /// Has a client connect, and sees its end.
    func meet(_ body: (LoopbackClient) -> Void) {
        body(LoopbackClient(port: port, isAbrupt: true))
        for _ in 0..<2 { turn() }
    }

    /// One turn, which does not wait.
    func turn() {
        cweb_wake(server.pointer)
        _ = cweb_turn(server.pointer)
    }

    /// Turns until the connection of a client has ended, or nothing more happens; the client reads all that comes.
    func turn(for client: LoopbackClient, besides other: () -> Void = {}) {
        for _ in 0..<Self.turns {
            turn()
            other()
            if client.received() == nil { return }
        }
    }
}

/// Foxglove's protocol and the daemon's own, as `waymark serve` has them, before a daemon that answers nothing.
private final class ServedSockets {
    private let reactor: Reactor
    private let daemon: UnixListener
    private let folder = ScratchFolder()
    private let gateway: VarlinkGateway
    private let foxglove: FoxgloveServer
    private let server: TurnedServer

    init() {
        do {
            reactor = try Reactor()
            daemon = try UnixListener(path: folder.path + "/daemon", mode: 0o600)
            gateway = try VarlinkGateway(reactor, socket: folder.path + "/daemon", allowsChanges: false)
            foxglove = try FoxgloveServer(reactor, socketPath: folder.path + "/daemon", version: "1")
        } catch {
            preconditionFailure("no server of WebSockets: \(error)")
        }
        var site = WebSite()
        site.sockets = [gateway.route, foxglove.route]
        server = TurnedServer(site)
    }

    func serve(_ path: String, frames: ArraySlice<UInt8>) {
        server.meet { client in
            upgrade(client, path)
            client.send(Array(frames))
            server.turn(for: client) { turnReactor() }
        }
        endCalls()
    }

    private func upgrade(_ client: LoopbackClient, _ path: String) {
        client.send(
            "GET \(path) HTTP/1.1\r\nHost: localhost:9469\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Protocol: \(path == "/" ? "foxglove.sdk.v1" : "varlink")\r\n\r\n")
        var answer: [UInt8] = []
        while answer.isEmpty {
            turn()
            answer = client.received() ?? [0]
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 101") else { fatalError("no WebSocket: \(text)") }
    }

    private func turn() {
        server.turn()
        turnReactor()
    }

    private func turnReactor() { reactor.runOnce(milliseconds: 0) }

    /// The daemon ends the connections to it, which the next turns notice.
    private func endCalls() {
        while true {
            let call = accept(daemon.descriptor, nil, nil)
            guard call >= 0 else { break }
            close(call)
        }
        turn()
    }
}

/// Does nothing with its WebSockets.
private struct Silence: WebSocketHandler {
    func opened(_ socket: WebSocket) {}
    func received(_ message: WebSocketMessage, from socket: WebSocket) {}
    func closed(_ socket: WebSocket) {}
}
