import CPoseRing
import Linux
import Model
import Engine

/// Writes poses into the memory from which render threads read them.
///
/// `write` allocates nothing and calls the kernel only to wake clients that wait. Only one thread may write.
package final class PoseRingWriter {
    /// Doorbell page of one client, to which that client can write.
    package typealias Doorbell = UnsafeMutablePointer<waymark_ring_doorbell>

    /// The memory, to be handed to clients.
    package let memory: SharedMemory
    private let header: UnsafeMutablePointer<waymark_ring_header>
    /// Memory in which the next pose is composed. It is behind a pointer, because a stored property of this type would
    /// be checked for exclusive access at each use.
    private let slot = UnsafeMutablePointer<waymark_ring_slot>.allocate(capacity: 1)
    private var doorbells: [Doorbell] = []
    private var frame: FrameEstimate?
    private var frameGeneration: UInt32?
    /// Whether the slot has the map of the frame, and the field flag that marks the map as known.
    private var hasMap = false
    private var mapField: UInt32 = 0
    private var newest: UInt64 = 0

    /// Creates an empty ring.
    ///
    /// - Parameter generation: number that differs with each start of the daemon.
    package init(generation: UInt64 = UInt64(BootClock.nanoseconds)) throws(SystemError) {
        memory = try SharedMemory("waymark-pose-ring", size: Int(waymark_ring_size()), others: .reading)
        header = memory.address.bindMemory(to: waymark_ring_header.self, capacity: 1)
        slot.initialize(to: waymark_ring_slot())
        var boot = [UInt8](repeating: 0, count: 16)
        let text = Array(BootClock.bootIdentifier.utf8)
        if text.count == 36 { waymark_ring_boot_id(text, &boot) }
        waymark_ring_begin(header, boot, generation)
    }

    deinit { slot.deallocate() }

    /// Notes where the scene lies on the earth; later poses of the same generation contain it as their map.
    package func take(_ frame: FrameEstimate) {
        self.frame = frame
        frameGeneration = frame.generation
        mapField = slot.pointee.set(map: nil)
        hasMap = false
    }

    /// Writes the next pose.
    ///
    /// - Parameters:
    ///   - utcOffset: nanoseconds to add to boot time to get UTC; nil if unknown.
    ///   - terms: terms for a prediction from this pose; nil if there are none.
    package func write(_ pose: PoseEstimate, utcOffset: Int64?, terms: PredictionTerms?) {
        newest += 1
        slot.pointee.set(pose, sequence: newest, utcOffset: utcOffset)
        slot.pointee.set(terms)
        setMap(of: pose.generation)
        waymark_ring_write(header, slot, newest)
        wake()
    }

    /// The map changes seldom, so it stays in the slot from pose to pose.
    private func setMap(of generation: UInt32) {
        let isOfFrame = generation == frameGeneration
        if isOfFrame != hasMap {
            mapField = slot.pointee.set(map: isOfFrame ? frame : nil)
            hasMap = isOfFrame
        }
        slot.pointee.fields |= mapField
    }

    /// Adds a client's doorbell; its memory has to stay mapped until `remove`.
    package func add(_ doorbell: Doorbell) { doorbells.append(doorbell) }

    /// Removes a client's doorbell.
    package func remove(_ doorbell: Doorbell) { doorbells.removeAll { $0 == doorbell } }

    /// Marks the ring as ended and wakes all clients that wait.
    package func end() {
        waymark_ring_end(header)
        wake()
    }

    /// Wakes the waiting threads of each client, at most a fixed number of them; each client has a futex of its own.
    private func wake() {
        for doorbell in doorbells { waymark_ring_wake(doorbell) }
    }
}
