import CPoseRing
import Estimation
import Linux
import Model

/// Writes poses into the memory from which render threads read them.
///
/// `write` allocates nothing and calls the kernel only to wake clients that wait. One thread writes.
package final class PoseRingWriter {
    /// Doorbell page of one client, which that client may write.
    package typealias Doorbell = UnsafeMutablePointer<waymark_ring_doorbell>

    /// The memory, to be handed to clients.
    package let memory: SharedMemory
    private let header: UnsafeMutablePointer<waymark_ring_header>
    private var slot = waymark_ring_slot()
    private var doorbells: [Doorbell] = []
    private var frame: FrameEstimate?
    private var newest: UInt64 = 0

    /// Creates an empty ring.
    ///
    /// - Parameter generation: differs with each start of the daemon.
    package init(generation: UInt64 = UInt64(BootClock.nanoseconds)) throws(SystemError) {
        memory = try SharedMemory("waymark-pose-ring", size: Int(waymark_ring_size()), others: .reading)
        header = memory.address.bindMemory(to: waymark_ring_header.self, capacity: 1)
        var boot = [UInt8](repeating: 0, count: 16)
        let text = Array(BootClock.bootIdentifier.utf8)
        if text.count == 36 { waymark_ring_boot_id(text, &boot) }
        waymark_ring_begin(header, boot, generation)
    }

    /// Notes where the scene lies on the earth; later poses have it as their map.
    package func take(_ frame: FrameEstimate) { self.frame = frame }

    /// Writes the next pose.
    ///
    /// - Parameters:
    ///   - utcOffset: nanoseconds to add to boot time to get UTC; nil if unknown.
    ///   - terms: what a prediction from this pose needs; nil for none.
    package func write(_ pose: PoseEstimate, utcOffset: Int64?, terms: PredictionTerms?) {
        newest += 1
        slot.set(pose, sequence: newest, utcOffset: utcOffset)
        slot.set(terms)
        slot.set(map: frame?.generation == pose.generation ? frame : nil)
        waymark_ring_write(header, &slot, newest)
        changeFutex(to: UInt32(truncatingIfNeeded: newest))
    }

    /// Adds a client's doorbell; its memory has to stay mapped until it is removed.
    package func add(_ doorbell: Doorbell) { doorbells.append(doorbell) }

    /// Removes a client's doorbell.
    package func remove(_ doorbell: Doorbell) { doorbells.removeAll { $0 == doorbell } }

    /// Marks the ring as ended and wakes all clients that wait.
    package func end() {
        waymark_ring_end(header)
        changeFutex(to: UInt32(truncatingIfNeeded: newest &+ 1))
    }

    private func changeFutex(to value: UInt32) {
        var isAwaited = false
        for doorbell in doorbells where waymark_ring_take_doorbell(doorbell) { isAwaited = true }
        waymark_ring_change_futex(header, value, isAwaited)
    }
}
