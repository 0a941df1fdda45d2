import Bridges
import Linux
import TestTools
import Testing

@Suite("Output of OpenTrack's datagrams")
struct OpenTrackOutputTests {
    private let scene: BridgeScene

    init() throws { scene = try BridgeScene() }

    private func output(to listener: LoopbackDatagrams, sendsPosition: Bool = false) throws -> OpenTrackOutput {
        OpenTrackOutput(
            scene.reactor, try DatagramSender(to: .loopback(port: listener.port)), rate: 50,
            sendsPosition: sendsPosition, poses: scene.poses)
    }

    /// The six numbers of the next datagram; nil where none has come.
    private func datagram(_ listener: LoopbackDatagrams) -> [Double]? {
        guard let bytes = listener.received(), bytes.count == 48 else { return nil }
        return bytes.withUnsafeBytes { buffer in
            stride(from: 0, to: 48, by: 8).map {
                Double(bitPattern: buffer.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
    }

    @Test("The orientation of the poses arrives, and their position where that is asked for", arguments: [false, true])
    func datagrams(sendsPosition: Bool) throws {
        let listener = try #require(LoopbackDatagrams())
        let output = try output(to: listener, sendsPosition: sendsPosition)
        var found: [Double]?
        #expect(
            scene.settle {
                found = datagram(listener)
                return found != nil
            })
        let numbers = try #require(found)
        // The board has turned to the left by 0.5 rad, and walks north from the place that is in the poses.
        #expect(abs(numbers[3] - 0.5 * 180 / .pi) < 1e-9 && abs(numbers[4]) < 1e-9 && abs(numbers[5]) < 1e-9)
        #expect(numbers[..<2] == (sendsPosition ? [1000, 150] : [0, 0]))
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
        #expect(scene.settle { datagram(next) != nil && scene.holders == 1 })
        output.close()
    }

    @Test("No pose, no datagram: listeners take a pause for the end of the device")
    func poseless() throws {
        let listener = try #require(LoopbackDatagrams())
        let output = try output(to: listener)
        #expect(scene.settle { listener.received() != nil })
        scene.isPublishing = false
        #expect(scene.settle { scene.poses.newest == nil })
        while listener.received() != nil {}
        scene.reactor.idle()
        #expect(listener.received() == nil)
        output.close()
    }
}
