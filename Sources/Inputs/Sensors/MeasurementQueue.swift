import Linux
import Model
import Synchronization

/// Bounded queue of measurements from a sensor's thread to the engine. A full queue drops and counts its oldest entry.
public final class MeasurementQueue: Sendable {
    private let contents: Mutex<Contents>
    private let wake: EventDescriptor
    private let half: Int

    /// Allocates the queue.
    ///
    /// - Parameters:
    ///   - capacity: number of measurements.
    ///   - wake: signalled by a push into the empty queue, by `pushUnhurried` once the queue is half full, and by
    ///     `announce`; may be shared by several queues.
    public init(capacity: Int, wake: EventDescriptor) {
        contents = Mutex(Contents(ring: BoundedRing(capacity: capacity)))
        self.wake = wake
        half = max(1, capacity / 2)
    }

    /// Appends a measurement and wakes the consumer if the queue was empty. Blocks only for the lock, and never
    /// allocates.
    ///
    /// - Returns: false if the queue was full and its oldest entry was dropped.
    @discardableResult
    public func push(_ measurement: Measurement) -> Bool {
        let (count, wasFull) = contents.withLock { $0.push(measurement) }
        if count == 1 { wake.signal() }
        return !wasFull
    }

    /// Appends a measurement that is needed only together with the next measurements of another queue. It does not wake
    /// the consumer until the queue is half full, because a wake-up would cost more than processing the measurement.
    public func pushUnhurried(_ measurement: Measurement) {
        let (count, _) = contents.withLock { $0.push(measurement) }
        if count == half { wake.signal() }
    }

    /// Appends a measurement without waking the consumer: `announce` has to follow once per batch.
    func append(_ measurement: Measurement) -> Bool {
        let (_, wasFull) = contents.withLock { $0.push(measurement) }
        return !wasFull
    }

    /// Wakes the consumer.
    func announce() { wake.signal() }

    /// Removes and returns the oldest measurement; nil if the queue is empty.
    public func pop() -> Measurement? { contents.withLock { $0.ring.popFirst() } }

    /// Time of the newest waiting measurement; nil if the queue is empty.
    public var newestTime: BootTime? { contents.withLock { $0.ring.last?.time } }

    /// Number of measurements dropped since the start.
    public var dropped: UInt64 { contents.withLock { $0.dropped } }

    private struct Contents: ~Copyable {
        var ring: BoundedRing<Measurement>
        var dropped: UInt64 = 0

        /// Returns the number of waiting measurements, and whether the oldest one was dropped.
        mutating func push(_ measurement: Measurement) -> (count: Int, wasFull: Bool) {
            guard !ring.append(measurement) else { return (ring.count, false) }
            _ = ring.popFirst()
            _ = ring.append(measurement)
            dropped += 1
            return (ring.count, true)
        }
    }
}
