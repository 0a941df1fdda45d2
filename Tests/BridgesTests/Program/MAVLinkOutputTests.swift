import Bridges
import Linux
import TestTools
import Testing

@Suite("Output of MAVLink's messages")
struct MAVLinkOutputTests {
    private let scene: BridgeScene

    init() throws { scene = try BridgeScene() }

    private func output(to listener: LoopbackDatagrams) throws -> MAVLinkOutput {
        MAVLinkOutput(
            scene.reactor, try DatagramSender(to: .loopback(port: listener.port)), system: 7, poses: scene.poses,
            receiver: { ReceiverView() })
    }

    /// Number of the message in the next datagram; nil where none has come.
    private func message(_ listener: LoopbackDatagrams) -> UInt8? {
        guard let bytes = listener.received(), bytes.count > 12, bytes[0] == 0xFD, bytes[5...6] == [7, 191] else {
            return nil
        }
        return bytes[7]
    }

    @Test("Odometry is sent while poses come, and the heartbeat also without them; no heading, no attitude")
    func messages() throws {
        let listener = try #require(LoopbackDatagrams())
        let output = try output(to: listener)
        var seen: Set<UInt8> = []
        func sees(_ wanted: Set<UInt8>) -> Bool {
            while let next = message(listener) { seen.insert(next) }
            return seen.isSuperset(of: wanted)
        }
        // ODOMETRY is 331. The ring of these poses does not say where the scene lies on the earth.
        #expect(scene.settle { sees([UInt8(331 & 0xFF), 0]) })
        #expect(seen == [UInt8(331 & 0xFF), 0])
        scene.isPublishing = false
        #expect(scene.settle { scene.poses.newest == nil })
        while listener.received() != nil {}
        seen = []
        #expect(scene.settle { sees([0]) })
        #expect(seen == [0])
        output.close()
        #expect(scene.settle { scene.holders == 0 })
    }

    @Test("Without a listener poses are let go of, and one that comes is served again")
    func listening() throws {
        var listener = LoopbackDatagrams()
        let port = try #require(listener).port
        let output = try output(to: try #require(listener))
        #expect(scene.settle { listener?.received() != nil && scene.holders == 1 })
        listener = nil
        #expect(scene.settle { scene.holders == 0 })
        let next = try #require(LoopbackDatagrams(port: port))
        #expect(scene.settle { message(next) == UInt8(331 & 0xFF) && scene.holders == 1 })
        output.close()
    }
}
