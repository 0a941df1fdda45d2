import Glibc
import Linux
import TestTools
import Testing

/// A server of lines on a reactor, and blocking clients of it, all on one thread.
private final class Scene {
    typealias Server = StreamServer<Int>
    let reactor: Reactor
    let listener: TCPListener
    let server: Server
    var lines: [String] = []
    var closed = 0

    /// - Parameter isIdle: whether a peer that has sent nothing may give way to another.
    init(maximum: Int = 4, isIdle: Bool = false, limits: StreamConnection.Limits = .init(line: 64, unsent: 256)) throws
    {
        reactor = try Reactor()
        listener = try TCPListener(.loopback(port: 0))
        let scene = Box<Scene>()
        server = Server(
            reactor, name: "test", limits: limits, places: ShareLimit(all: maximum, ofUser: maximum, reserve: 0),
            separator: UInt8(ascii: ";"), state: { 0 },
            handlers: Server.Handlers(
                opened: { scene.value?.server.send(Array("hello\n".utf8), to: $0, isRequired: true) },
                line: { peer, line in
                    peer.state += 1
                    scene.value?.lines.append(String(decoding: line, as: UTF8.self))
                }, closed: { _ in scene.value?.closed += 1 }, isIdle: { isIdle && $0.state == 0 }))
        scene.value = self
        try server.listen(listener)
    }

    func settle(_ condition: () -> Bool) -> Bool { reactor.settle(condition) }

    func client() -> LoopbackClient { LoopbackClient(port: listener.address.port) }

    final class Box<Value: AnyObject> { weak var value: Value? }
}

@Suite("Server of lines")
struct StreamServerTests {
    @Test("Peers are greeted, and their lines arrive whole, by either separator")
    func lines() throws {
        let scene = try Scene()
        let client = scene.client()
        client.send("one;two\nthr")
        #expect(scene.settle { scene.lines == ["one", "two"] })
        client.send("ee;;\n;four;")
        #expect(scene.settle { scene.lines == ["one", "two", "three", "four"] })
        #expect(client.received() == Array("hello\n".utf8))
        #expect(scene.server.peers.first?.state == 4)
    }

    @Test("More peers than the maximum are closed, and a place becomes free again")
    func maximum() throws {
        let scene = try Scene(maximum: 2)
        let clients = (0..<3).map { _ in scene.client() }
        #expect(scene.settle { scene.server.peers.count == 2 })
        #expect(scene.settle { clients[2].received() == nil })
        _ = consume clients
        #expect(scene.settle { scene.server.peers.isEmpty })
        #expect(scene.closed == 2)
        let another = scene.client()
        #expect(scene.settle { scene.server.peers.count == 1 })
        withExtendedLifetime(another) {}
    }

    @Test("The oldest peer that has asked for nothing gives way, and none that has")
    func givesWay() throws {
        let scene = try Scene(maximum: 2, isIdle: true)
        let (idle, busy) = (scene.client(), scene.client())
        busy.send("one;")
        #expect(scene.settle { scene.server.peers.count == 2 && scene.lines == ["one"] })
        let third = scene.client()
        #expect(scene.settle { scene.closed == 1 && scene.server.peers.count == 2 })
        third.send("three;")
        #expect(scene.settle { scene.lines == ["one", "three"] })
        // Both have asked for something now.
        let late = scene.client()
        busy.send("one again;")
        #expect(scene.settle { scene.lines.last == "one again" })
        #expect(scene.settle { late.received() == nil })
        #expect(scene.closed == 1)
        withExtendedLifetime(idle) {}
    }

    @Test("An overlong line ends the connection of its sender alone")
    func overlong() throws {
        let scene = try Scene()
        let (good, bad) = (scene.client(), scene.client())
        #expect(scene.settle { scene.server.peers.count == 2 })
        bad.send(String(repeating: "x", count: 1000))
        #expect(scene.settle { scene.server.peers.count == 1 })
        good.send("still here;")
        #expect(scene.settle { scene.lines == ["still here"] })
    }

    @Test("A peer that does not read misses whole messages, and what it reads later is whole")
    func slow() throws {
        let scene = try Scene()
        let client = scene.client()
        #expect(scene.settle { scene.server.peers.count == 1 })
        let peer = scene.server.peers[0]
        let message = [UInt8](repeating: UInt8(ascii: "m"), count: 9999) + [10]
        for _ in 0..<2000 { scene.server.send(message, to: peer) }
        #expect(peer.connection.missed > 0 && peer.connection.hasUnsent && peer.connection.stuckSince != nil)
        var received: [UInt8] = []
        #expect(
            scene.settle {
                received += client.received() ?? []
                return received.count == 6 + (2000 - peer.connection.missed) * message.count
            })
        let lines = received.dropFirst(6).split(separator: 10)
        #expect(!lines.isEmpty && lines.allSatisfy { $0.count == 9999 })
        #expect(lines.count + peer.connection.missed == 2000)
    }
}
