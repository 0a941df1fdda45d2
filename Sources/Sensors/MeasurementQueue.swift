import Linux
import Model
import Synchronization

/// The bounded hand-over from a sensor's thread to the engine: a full queue drops its oldest and counts.
public final class MeasurementQueue: Sendable {
    private let ring: Mutex<Ring>
    private let wake: EventDescriptor

    /// - Parameter wake: signalled by a push into the empty queue, and by `announce`; several queues may share one.
    public init(capacity: Int, wake: EventDescriptor) {
        precondition(capacity > 0)
        ring = Mutex(Ring(capacity: capacity))
        self.wake = wake
    }

    /// Never blocks beyond the lock, never allocates.
    ///
    /// - Returns: false when the queue was full and its oldest had to go.
    @discardableResult
    public func push(_ measurement: Measurement) -> Bool {
        let (wasEmpty, wasFull) = ring.withLock { $0.push(measurement) }
        if wasEmpty { wake.signal() }
        return !wasFull
    }

    /// The same without a word: `announce` has to follow, once for all of a batch.
    func append(_ measurement: Measurement) -> Bool {
        let (_, wasFull) = ring.withLock { $0.push(measurement) }
        return !wasFull
    }

    /// Wakes who takes what was appended.
    func announce() { wake.signal() }

    /// Takes the oldest, if there is one.
    public func pop() -> Measurement? { ring.withLock { $0.pop() } }

    /// How many measurements were dropped since the start.
    public var dropped: UInt64 { ring.withLock { $0.dropped } }

    private struct Ring: Sendable {
        var slots: [Measurement]
        var head = 0
        var count = 0
        var dropped: UInt64 = 0

        init(capacity: Int) {
            slots = Array(repeating: .clock(BootTime(nanoseconds: 0)), count: capacity)
        }

        mutating func push(_ measurement: Measurement) -> (wasEmpty: Bool, wasFull: Bool) {
            let wasFull = count == slots.count
            if wasFull {
                head = (head + 1) % slots.count
                count -= 1
                dropped += 1
            }
            slots[(head + count) % slots.count] = measurement
            count += 1
            return (count == 1, wasFull)
        }

        mutating func pop() -> Measurement? {
            guard count > 0 else { return nil }
            let oldest = slots[head]
            head = (head + 1) % slots.count
            count -= 1
            return oldest
        }
    }
}
