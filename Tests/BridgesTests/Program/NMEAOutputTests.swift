import Bridges
import Glibc
import Linux
import TestTools
import Testing

@Suite("Outputs of NMEA 0183")
struct NMEAOutputTests {
    private let scene: BridgeScene

    init() throws { scene = try BridgeScene() }

    /// Whether the newest of the sentences that a reader receives comes to have the position of the poses.
    private func settlesOnPosition(_ receive: () -> [UInt8]?) -> Bool {
        let received = ReceivedLines()
        return scene.settle {
            received.take(receive())
            let newest = received.lines.last { $0.dropFirst(3).hasPrefix("RMC") }
            return newest?.contains(",A,3330.0000000,S,15115.0000000,E,") == true
        }
    }

    @Test("Readers over TCP get the position, and poses are held while there is one")
    func tcp() throws {
        let listener = try TCPListener(.loopback(port: 0))
        let output = try NMEAOutput(
            scene.reactor, listener, rate: 50, poses: scene.poses, receiver: { ReceiverView() })
        scene.reactor.idle()
        #expect(scene.holders == 0)
        var reader: LoopbackClient? = LoopbackClient(port: listener.address.port)
        reader?.send("$PMTK220,200*2C\r\n")
        #expect(settlesOnPosition { reader?.received() })
        #expect(scene.holders == 1)
        reader = nil
        #expect(scene.settle { scene.holders == 0 })
        output.close()
    }

    @Test("On a terminal sentences are written, and poses held, while a program has it open")
    func terminal() throws {
        let path = scene.folder.path + "/tty"
        let output = NMEATerminalOutput(
            scene.reactor, try PseudoTerminal(path: path, group: nil), rate: 50, poses: scene.poses,
            receiver: { ReceiverView() })
        scene.reactor.idle()
        #expect(scene.holders == 0)
        let reader = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        #expect(settlesOnPosition { Self.available(reader) })
        close(reader)
        #expect(scene.settle { scene.holders == 0 })
        output.close()
        #expect(access(path, F_OK) != 0)
    }

    @Test("Two outputs share the poses, which are held until neither has a client")
    func sharing() throws {
        let nmea = try TCPListener(.loopback(port: 0))
        let first = try NMEAOutput(scene.reactor, nmea, rate: 50, poses: scene.poses, receiver: { ReceiverView() })
        let second = try GPSDOutput(
            scene.reactor, at: .loopback(port: 0), rate: 50, version: "1", poses: scene.poses,
            receiver: { ReceiverView() })
        let watching = LoopbackClient(port: second.address.port)
        watching.send(#"?WATCH={"enable":true};"#)
        var reader: LoopbackClient? = LoopbackClient(port: nmea.address.port)
        #expect(settlesOnPosition { reader?.received() })
        #expect(scene.holders == 1)
        reader = nil
        scene.reactor.idle()
        #expect(scene.holders == 1)
        second.close()
        #expect(scene.settle { scene.holders == 0 })
        first.close()
    }

    private static func available(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) == 1 else { return [] }
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
