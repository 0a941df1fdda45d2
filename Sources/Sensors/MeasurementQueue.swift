import Linux
import Measurements
import Synchronization

/// The bounded hand-over from a sensor's thread to the engine: a full queue drops its oldest and counts.
public final class MeasurementQueue: Sendable {
    private let ring: Mutex<Ring>
    private let wake: EventDescriptor

    /// - Parameter wake: signalled when the queue stops being empty; several queues may share one.
    public init(capacity: Int, wake: EventDescriptor) {
        precondition(capacity > 0)
        ring = Mutex(Ring(capacity: capacity))
        self.wake = wake
    }

    /// Never blocks beyond the lock, never allocates.
    public func push(_ measurement: Measurement) {
        let wasEmpty = ring.withLock { $0.push(measurement) }
        if wasEmpty { wake.signal() }
    }

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

        /// Returns whether the ring was empty.
        mutating func push(_ measurement: Measurement) -> Bool {
            if count == slots.count {
                head = (head + 1) % slots.count
                count -= 1
                dropped += 1
            }
            slots[(head + count) % slots.count] = measurement
            count += 1
            return count == 1
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
