import Linux
import Model
import Synchronization

/// Bounded queue of measurements from a sensor's thread to the engine. A full queue drops its oldest entry and counts
/// it.
public final class MeasurementQueue: Sendable {
    private let ring: Mutex<Ring>
    private let wake: EventDescriptor

    /// Allocates the queue.
    ///
    /// - Parameters:
    ///   - capacity: number of measurements.
    ///   - wake: signalled by a push into the empty queue, and by `announce`; may be shared by several queues.
    public init(capacity: Int, wake: EventDescriptor) {
        precondition(capacity > 0)
        ring = Mutex(Ring(capacity: capacity))
        self.wake = wake
    }

    /// Appends a measurement and wakes the consumer if the queue was empty. Blocks only for the lock, and never
    /// allocates.
    ///
    /// - Returns: false if the queue was full and its oldest entry was dropped.
    @discardableResult
    public func push(_ measurement: Measurement) -> Bool {
        let (wasEmpty, wasFull) = ring.withLock { $0.push(measurement) }
        if wasEmpty { wake.signal() }
        return !wasFull
    }

    /// Appends a measurement without waking the consumer: `announce` has to follow once per batch.
    func append(_ measurement: Measurement) -> Bool {
        let (_, wasFull) = ring.withLock { $0.push(measurement) }
        return !wasFull
    }

    /// Wakes the consumer.
    func announce() { wake.signal() }

    /// Removes and returns the oldest measurement; nil if the queue is empty.
    public func pop() -> Measurement? { ring.withLock { $0.pop() } }

    /// Time of the measurement that was appended last and waits; nil if the queue is empty.
    public var newestTime: BootTime? { ring.withLock { $0.newest?.time } }

    /// Number of measurements dropped since the start.
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

        var newest: Measurement? { count > 0 ? slots[(head + count - 1) % slots.count] : nil }

        mutating func pop() -> Measurement? {
            guard count > 0 else { return nil }
            let oldest = slots[head]
            head = (head + 1) % slots.count
            count -= 1
            return oldest
        }
    }
}
