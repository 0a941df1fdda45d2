import CPoseRing
import Linux
import Testing

/// A client whose threads wait by the functions of the header.
///
/// Everything is set at its making; the memory changes by the rules of the ring.
final class WaitingRingClient: @unchecked Sendable {
    enum Outcome {
        case newer
        case ended
        case overslept
    }

    /// Longest sleep of a thread that nothing but the daemon is to wake. Unit: nanoseconds.
    static let patience: Int64 = 60_000_000_000

    let doorbell: UnsafeMutablePointer<waymark_ring_doorbell>
    private let ring: UnsafeMutablePointer<waymark_ring>
    private let client: RawRingClient
    private let memory: SharedMemory
    private let page: SharedMemory

    init(_ server: RingServer) throws {
        client = try RawRingClient(server)
        memory = try SharedMemory(client.owners[0], mapped: .reading, minimumSize: Int(waymark_ring_size()))
        page = try SharedMemory(
            client.owners[1], mapped: .writing, minimumSize: MemoryLayout<waymark_ring_doorbell>.size)
        doorbell = page.address.assumingMemoryBound(to: waymark_ring_doorbell.self)
        ring = UnsafeMutablePointer.allocate(capacity: 1)
        ring.initialize(to: waymark_ring())
        try #require(waymark_ring_open(ring, memory.address, memory.size) == WAYMARK_RING_READABLE)
    }

    deinit { ring.deallocate() }

    /// Number of the newest pose.
    var newest: UInt64 { waymark_ring_newest(ring) }

    /// The words of the doorbell's page.
    var words: UnsafeMutableBufferPointer<UInt32> {
        UnsafeMutableBufferPointer(
            start: page.address.assumingMemoryBound(to: UInt32.self),
            count: page.size / MemoryLayout<UInt32>.size)
    }

    /// Waits for a pose after `known` as clients do; false when the time is over, or the daemon has ended.
    func wait(after known: UInt64) -> Bool {
        waymark_ring_wait(ring, doorbell, client.socket.descriptor, known, Self.patience) == WAYMARK_RING_NEWER
    }

    /// Waits for a pose after `known`, woken by the daemon alone: without the look ten times a second.
    func sleep(after known: UInt64) -> Outcome {
        while true {
            let before = waymark_ring_set_doorbell(doorbell)
            if newest > known { return .newer }
            if waymark_ring_has_ended(ring) { return .ended }
            guard waymark_ring_sleep(doorbell, before, Self.patience) else { return .overslept }
        }
    }
}
