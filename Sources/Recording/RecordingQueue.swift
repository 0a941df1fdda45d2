import Linux
import Model
import Synchronization

/// Entry to record, with the instant at which the engine took or gave it.
struct RecordingEntry: Sendable {
    enum Content: Sendable {
        case measurement(Measurement)
        /// Pose with the number under which it was published.
        case pose(PoseEstimate, sequence: UInt64)
        case frame(FrameEstimate, sequence: UInt64)
        /// Warm start that the estimator begins, or would begin, with here; indirect, since it is large and seldom.
        indirect case warmStart(WarmStart)
    }

    var time: BootTime
    var content: Content
}

/// The bounded hand-over from the engine to the recording's thread: when it is full, the newest is dropped and counted,
/// so that what is recorded is without a gap up to there.
final class RecordingQueue: Sendable {
    /// Signalled when the queue is half full, so that the thread need not wake for every sample.
    let wake = EventDescriptor()
    private let ring: Mutex<Ring>
    private let half: Int

    init(capacity: Int) {
        ring = Mutex(Ring(capacity: capacity))
        half = capacity / 2
    }

    var dropped: UInt64 { ring.withLock { $0.dropped } }

    /// Drops everything from here on.
    func close() { ring.withLock { $0.isClosed = true } }

    func push(_ entry: RecordingEntry) {
        if ring.withLock({ $0.push(entry) }) == half { wake.signal() }
    }

    func pop() -> RecordingEntry? { ring.withLock { $0.pop() } }

    private struct Ring: Sendable {
        var slots: [RecordingEntry]
        var head = 0
        var count = 0
        var dropped: UInt64 = 0
        var isClosed = false

        init(capacity: Int) {
            let zero = BootTime(nanoseconds: 0)
            slots = Array(repeating: RecordingEntry(time: zero, content: .measurement(.clock(zero))), count: capacity)
        }

        /// Returns the number of entries in the ring.
        mutating func push(_ entry: RecordingEntry) -> Int {
            guard count < slots.count, !isClosed else {
                dropped += 1
                return 0
            }
            slots[(head + count) % slots.count] = entry
            count += 1
            return count
        }

        mutating func pop() -> RecordingEntry? {
            guard count > 0 else { return nil }
            defer {
                head = (head + 1) % slots.count
                count -= 1
            }
            return slots[head]
        }
    }
}
