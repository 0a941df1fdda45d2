import CPoseRing
import Glibc
import Linux
import TestTools

/// A ring with one pose and its socket, on a thread of its own; each client gets the same offer.
final class FakeRing {
    let path: String
    private let folder = ScratchFolder()
    private let listener: UnixListener
    private let thread: WorkerThread

    /// Time of its pose. Unit: nanoseconds.
    static let time: Int64 = 5_000_000_000

    /// - Parameters:
    ///   - boot: boot ID of the ring; nil for that of the system.
    ///   - seals: whether the ring has a fixed size.
    ///   - descriptors: number of descriptors that come with the offer.
    init(
        offer: waymark_ring_offer = waymark_ring_make_offer(WAYMARK_RING_GRANTED), boot: [UInt8]? = nil,
        seals: Bool = true, descriptors: Int = 2
    ) throws {
        path = folder.path + "/ring"
        let listener = try UnixListener(path: path, kind: .packets, mode: 0o600)
        let ring = try SharedMemory("ring", size: Int(waymark_ring_size()), others: .reading)
        let doorbell = try SharedMemory("doorbell", size: 4096, others: .writing)
        Self.fill(ring, boot ?? Self.thisBoot)
        let handed = [
            OwnedDescriptor(seals ? dup(ring.descriptor ?? -1) : try Self.unsealed(ring.size)),
            OwnedDescriptor(dup(doorbell.descriptor ?? -1)),
        ].prefix(descriptors)
        let socket = OwnedDescriptor(dup(listener.descriptor))
        self.listener = listener
        thread = WorkerThread(name: "fake-ring") { stop in
            let listener = UnixListener(adopting: dup(socket.descriptor))
            var clients: [UnixStream] = []
            var offer = offer
            while !stop.isSet {
                stop.wait(seconds: 60, orReadable: listener.descriptor)
                guard let client = try? listener.accept() else { continue }
                _ = withUnsafeBytes(of: &offer) { try? client.send($0, descriptors: handed.map(\.descriptor)) }
                clients.append(client)
            }
        }
    }

    private static func unsealed(_ size: Int) throws(FileError) -> Int32 {
        let file = try File.inMemory("no ring")
        ftruncate(file.descriptor, off_t(size))
        return dup(file.descriptor)
    }

    deinit { thread.stop() }

    private static var thisBoot: [UInt8] {
        var boot = [UInt8](repeating: 0, count: 16)
        let text = Array(BootClock.bootIdentifier.utf8)
        if text.count == 36 { waymark_ring_boot_id(text, &boot) }
        return boot
    }

    private static func fill(_ memory: SharedMemory, _ boot: [UInt8]) {
        let header = memory.address.bindMemory(to: waymark_ring_header.self, capacity: 1)
        waymark_ring_begin(header, boot, 7)
        var pose = waymark_ring_slot()
        pose.sequence = 1
        pose.time = time
        pose.position = (1, 2, 3)
        pose.orientation = (0, 0, 0, 1)
        pose.linear_velocity = (2, 0, 0)
        waymark_ring_write(header, &pose, 1)
    }
}
