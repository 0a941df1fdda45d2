import Bridges
import Linux
import Synchronization
import TestTools

/// Readers of what clients of the bridge send: requests in gpsd's protocol, and calls and signals of D-Bus.
let bridgeParsers = [
    Parser(name: "dbus") { bytes in bus.withLock { $0.serve(bytes) } },
    Parser(name: "gpsd-requests") { bytes in positions.withLock { $0.serve(bytes) } },
]

private let bus = Mutex(SensorProxyBus())
private let positions = Mutex(ServedPositions())

/// Poses of a daemon that does not run. They are held for good: otherwise each input that needs them would start a
/// thread that looks for the daemon.
func absentPoses(_ folder: ScratchFolder) -> PoseSource {
    let poses = PoseSource(path: folder.path + "/ring")
    poses.acquire()
    return poses
}

/// The output for gpsd's clients.
private final class ServedPositions {
    private let reactor: Reactor
    private let folder = ScratchFolder()
    private let output: GPSDOutput

    /// Turns in which all that a client may send at once is read.
    private static let turns = 12

    init() {
        do {
            reactor = try Reactor()
            output = try GPSDOutput(
                reactor, at: .loopback(port: 0), rate: 1000, version: "1", poses: absentPoses(folder),
                receiver: { ReceiverView() })
        } catch {
            preconditionFailure("no output for clients of gpsd: \(error)")
        }
    }

    func serve(_ bytes: [UInt8]) {
        do {
            let client = LoopbackClient(port: output.address.port, isAbrupt: true)
            client.send(bytes)
            for _ in 0..<Self.turns {
                reactor.runOnce(milliseconds: 0)
                if client.received() == nil { break }
            }
        }
        // It sees the end of the client.
        for _ in 0..<2 { reactor.runOnce(milliseconds: 0) }
    }
}
