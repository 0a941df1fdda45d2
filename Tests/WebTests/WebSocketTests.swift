import Glibc
import Linux
import Synchronization
import Testing
import Web

@Suite struct WebSocketTests {
    private let text: UInt8 = 1
    private let binary: UInt8 = 2
    private let closing: UInt8 = 8

    @Test("messages arrive whole in both directions: text, bytes, fragments, and the longest")
    func echo() throws {
        let server = try TestSite.make()
        let client = try TestClient(server.address.port)
        let head = client.upgrade("/echo", port: server.address.port)
        #expect(head.hasPrefix("HTTP/1.1 101"))
        #expect(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        client.sendFrame(text, Array("grüezi".utf8))
        #expect(try #require(client.readFrame()) == (text, Array("grüezi".utf8)))
        client.sendFrame(binary, [0, 255])
        #expect(try #require(client.readFrame()) == (binary, [0, 255]))
        client.sendFrame(text, [65], isFinal: false)
        client.sendFrame(0, [66], isFinal: false)
        client.sendFrame(0, [67])
        #expect(try #require(client.readFrame()) == (text, [65, 66, 67]))
        let long = (0..<65536).map { UInt8(truncatingIfNeeded: $0) }
        client.sendFrame(binary, long)
        #expect(try #require(client.readFrame()) == (binary, long))
        client.sendFrame(text, [])
        #expect(try #require(client.readFrame()) == (text, []))
        client.sendFrame(9, [1, 2])
        #expect(try #require(client.readFrame()) == (10, [1, 2]))
    }

    @Test("a message that is too long, or no UTF-8, ends the connection with the status for it")
    func badMessages() throws {
        let server = try TestSite.make()
        for (opcode, content, status) in [
            (binary, [UInt8](repeating: 0, count: 65537), 1009), (text, [0xFF, 0xFE], 1007),
        ] {
            let client = try TestClient(server.address.port)
            _ = client.upgrade("/echo", port: server.address.port)
            client.sendFrame(opcode, content)
            if let frame = client.readFrame() {
                #expect(frame.opcode == closing)
                #expect(frame.content.prefix(2).reduce(0) { $0 << 8 | Int($1) } == status)
            }
            #expect(client.isClosed())
        }
        for garbage in [[0x81, 0x05, 1, 2, 3, 4, 5], [0xFF, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 0x88, count: 500)]
            as [[UInt8]]
        {
            let client = try TestClient(server.address.port)
            _ = client.upgrade("/echo", port: server.address.port)
            client.write(garbage)
        }
        #expect(try TestSite.answers(server))
    }

    @Test("pages of other origins get no WebSocket, unless allowed; clients without an origin do")
    func origins() throws {
        let server = try TestSite.make {
            $0.sockets += [
                WebSocketRoute(path: "/these", origins: .these(["https://app.example"]), handler: Echo()),
                WebSocketRoute(path: "/any", origins: .any, handler: Echo()),
            ]
        }
        func opens(_ path: String, _ origin: String?) throws -> Bool {
            let head = try TestClient(server.address.port).upgrade(path, port: server.address.port, origin: origin)
            #expect(head.hasPrefix("HTTP/1.1 101") || head.hasPrefix("HTTP/1.1 403"), "\(head)")
            return head.hasPrefix("HTTP/1.1 101")
        }
        for path in ["/echo", "/these", "/any"] {
            #expect(try opens(path, nil))
            #expect(try opens(path, "http://localhost:\(server.address.port)"))
            #expect(try opens(path, "https://evil.example") == (path == "/any"))
            #expect(try opens(path, "null") == (path == "/any"))
            #expect(try opens(path, "http://localhost:1") == (path == "/any"))
        }
        #expect(try opens("/these", "https://app.example"))
        #expect(try !opens("/echo", "https://app.example"))
    }

    @Test("a subprotocol that the path has is chosen from the offered ones; others are refused")
    func subprotocols() throws {
        let seen = Recorder()
        let server = try TestSite.make {
            $0.sockets += [
                WebSocketRoute(path: "/two", subprotocols: ["a.v1", "b.sdk.v1"], handler: seen),
                WebSocketRoute(path: "/other", subprotocols: ["c"], handler: Echo()),
            ]
        }
        func upgrade(_ path: String, _ offered: String?) throws -> String {
            try TestClient(server.address.port).upgrade(path, port: server.address.port, subprotocols: offered)
        }
        #expect(try upgrade("/two", "x, b.sdk.v1, a.v1").contains("Sec-WebSocket-Protocol: b.sdk.v1\r\n"))
        #expect(try upgrade("/two", "a.v1").contains("Sec-WebSocket-Protocol: a.v1\r\n"))
        for (path, offered) in [("/two", nil), ("/two", "x"), ("/two", "c"), ("/echo", "a.v1"), ("/two", "(plain)")] {
            #expect(try upgrade(path, offered).hasPrefix("HTTP/1.1 400"), "\(path) \(offered ?? "")")
        }
        try seen.wait { $0.contains("opened /two b.sdk.v1") && $0.contains("opened /two a.v1") }
    }

    @Test("an upgrade of a page, of another version, and a page of a WebSocket's path are refused with the reason")
    func wrongUpgrades() throws {
        let server = try TestSite.make()
        let port = server.address.port
        #expect(try TestClient(port).upgrade("/metrics", port: port).hasPrefix("HTTP/1.1 404"))
        #expect(try TestSite.get("/echo", server).hasPrefix("HTTP/1.1 426"))
        let old = try TestClient(port)
        old.write(
            "GET /echo HTTP/1.1\r\nHost: \(server.address)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 8\r\nSec-WebSocket-Key: x\r\n\r\n")
        #expect(old.readHead().contains("\r\nSec-WebSocket-Version: 13\r\n"))
        let stranger = try TestClient(port)
        #expect(stranger.upgrade("/echo", port: 1).hasPrefix("HTTP/1.1 421"))
        let post = try TestClient(port)
        post.write(
            "POST /echo HTTP/1.1\r\nHost: \(server.address)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        #expect(post.readHead().hasPrefix("HTTP/1.1 405"))
    }

    @Test("the handler learns of each connection and of its end, by client, server or stop")
    func lifetimes() throws {
        let seen = Recorder()
        let server = try TestSite.make { $0.sockets = [WebSocketRoute(path: "/seen", handler: seen)] }
        var client: TestClient? = try TestClient(server.address.port)
        _ = client?.upgrade("/seen", port: server.address.port)
        try seen.wait { $0 == ["opened /seen "] }
        client = nil
        try seen.wait { $0.last == "closed" }
        let second = try TestClient(server.address.port)
        _ = second.upgrade("/seen", port: server.address.port)
        try seen.wait { $0.count == 3 }
        seen.newest?.send(.text("last"))
        seen.newest?.close(status: 1001)
        #expect(try #require(second.readFrame()) == (text, Array("last".utf8)))
        #expect(try #require(second.readFrame()) == (closing, [0x03, 0xE9]))
        second.sendFrame(closing, [0x03, 0xE9])
        try seen.wait { $0.count == 4 }
        #expect(seen.newest?.send(.text("late")) == false)
        let third = try TestClient(server.address.port)
        _ = third.upgrade("/seen", port: server.address.port)
        try seen.wait { $0.count == 5 }
        #expect(server.stop(timeoutSeconds: 20))
        try seen.wait { $0.count == 6 }
        #expect(third.isClosed())
    }

    @Test("a client that does not read fills its own queue alone, and then gets the newest that was not skipped")
    func slowReader() throws {
        let seen = Recorder()
        var limits = WebLimits()
        limits.queueBytes = 100_000
        let server = try TestSite.make(limits) { $0.sockets += [WebSocketRoute(path: "/seen", handler: seen)] }
        let slow = try TestClient(server.address.port)
        _ = slow.upgrade("/seen", port: server.address.port)
        try seen.wait { $0.count == 1 }
        let socket = try #require(seen.newest)
        var accepted = 0
        while socket.send(.binary([UInt8](repeating: UInt8(truncatingIfNeeded: accepted), count: 10_000))),
            accepted < 100_000
        {
            accepted += 1
            if accepted % 8 == 0 { usleep(1000) }
        }
        #expect(accepted < 100_000, "the queue has no bound")
        #expect(socket.queuedBytes <= 100_000)
        #expect(try TestSite.answers(server))
        for index in 0..<accepted {
            #expect(try #require(slow.readFrame()).content.first == UInt8(truncatingIfNeeded: index))
        }
        try Recorder.wait("the queue is empty") { socket.queuedBytes == 0 }
        #expect(socket.send(.text("newest")))
        #expect(try #require(slow.readFrame()) == (text, Array("newest".utf8)))
    }

    @Test("what sends is notified once when a client has taken all that was queued, at once if nothing is")
    func drained() throws {
        let seen = Recorder()
        let server = try TestSite.make { $0.sockets += [WebSocketRoute(path: "/seen", handler: seen)] }
        let client = try TestClient(server.address.port)
        _ = client.upgrade("/seen", port: server.address.port)
        try seen.wait { $0.count == 1 }
        let socket = try #require(seen.newest)
        // More than the kernel buffers.
        let message = WebSocketMessage.binary([UInt8](repeating: 7, count: 1_000_000))
        #expect(socket.send(message) && socket.send(message))
        socket.notifyWhenDrained()
        #expect(client.readFrame()?.content.count == 1_000_000)
        #expect(client.readFrame()?.content.count == 1_000_000)
        try seen.wait { $0.last == "drained" }
        #expect(socket.queuedBytes == 0)
        #expect(socket.send(.text("unnoticed")))
        #expect(try #require(client.readFrame()).content == Array("unnoticed".utf8))
        socket.notifyWhenDrained()
        try seen.wait { $0.count(where: { $0 == "drained" }) == 2 }
    }

    @Test("a silent client is asked for a sign, and closed when it gives none")
    func silence() throws {
        let seen = Recorder()
        var limits = WebLimits()
        limits.silenceSeconds = 2
        let server = try TestSite.make(limits) { $0.sockets = [WebSocketRoute(path: "/seen", handler: seen)] }
        let client = try TestClient(server.address.port)
        _ = client.upgrade("/seen", port: server.address.port)
        #expect(try #require(client.readFrame()).opcode == 9)
        try seen.wait { $0.last == "closed" }
    }

    @Test("WebSockets leave connections for pages")
    func manySockets() throws {
        var limits = WebLimits()
        limits.connections = 6
        limits.sockets = 4
        let server = try TestSite.make(limits)
        let port = server.address.port
        let clients = try (0..<4).map { _ in try TestClient(port) }
        for client in clients { #expect(client.upgrade("/echo", port: port).hasPrefix("HTTP/1.1 101")) }
        #expect(try TestClient(port).upgrade("/echo", port: port).hasPrefix("HTTP/1.1 503"))
        #expect(try TestSite.answers(server))
        for client in clients {
            client.sendFrame(text, [65])
            #expect(try #require(client.readFrame()).content == [65])
        }
    }

    @Test("an inbox carries events to a reactor in order, and closes who sends more than it takes")
    func inbox() throws {
        let inbox = WebSocketInbox(limit: 10_000)
        let server = try TestSite.make { $0.sockets = [WebSocketRoute(path: "/inbox", handler: inbox)] }
        let client = try TestClient(server.address.port)
        _ = client.upgrade("/inbox", port: server.address.port)
        client.sendFrame(text, Array("one".utf8))
        client.sendFrame(text, Array("two".utf8))
        let reactor = try Reactor()
        var seen: [String] = []
        let limit = reactor.after(Int64(TestClient.patience) * 1_000_000_000) { [unowned reactor] in reactor.stop() }
        try inbox.watch(reactor) { [unowned reactor] event in
            switch event {
            case .opened(let socket): seen.append("opened \(socket.path)")
            case .received(let message, let socket):
                seen.append(message.text)
                socket.send(.text(message.text.uppercased()))
                if message.text == "two" { reactor.stop() }
            case .drained: seen.append("drained")
            case .closed: seen.append("closed")
            }
        }
        reactor.run()
        reactor.cancel(limit)
        #expect(seen == ["opened /inbox", "one", "two"])
        #expect(try #require(client.readFrame()).content == Array("ONE".utf8))
        #expect(try #require(client.readFrame()).content == Array("TWO".utf8))
        // The reactor does not run any more.
        for _ in 0..<20 { client.sendFrame(binary, [UInt8](repeating: 0, count: 1000)) }
        #expect(try #require(client.readFrame()) == (closing, [0x03, 0xF0]))
    }
}

/// Remembers events.
final class Recorder: WebSocketHandler {
    private let state = Mutex<(events: [String], newest: WebSocket?)>(([], nil))

    var newest: WebSocket? { state.withLock { $0.newest } }

    func opened(_ socket: WebSocket) {
        state.withLock {
            $0.events.append("opened \(socket.path) \(socket.subprotocol)")
            $0.newest = socket
        }
    }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        state.withLock { $0.events.append(message.text) }
    }

    func drained(_ socket: WebSocket) { state.withLock { $0.events.append("drained") } }

    func closed(_ socket: WebSocket) { state.withLock { $0.events.append("closed") } }

    /// Waits until the events are as expected.
    func wait(_ isExpected: ([String]) -> Bool) throws {
        try Self.wait("\(state.withLock { $0.events })") { isExpected(state.withLock { $0.events }) }
    }

    static func wait(_ what: String, _ isExpected: () -> Bool) throws {
        let end = time(nil) + TestClient.patience
        while !isExpected() {
            try #require(time(nil) < end, "\(what)")
            usleep(2000)
        }
    }
}
