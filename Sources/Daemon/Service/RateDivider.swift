import Model

/// Reduces a stream to a lower rate, on a time grid that all subscribers of that rate share.
///
/// Because the grid is common, subscribers of one rate take the same pose, which is encoded once for all of them.
package struct RateDivider {
    private let millihertz: Int64
    /// The latest slot that contained a sample.
    private var slot: Int64 = .min
    /// Whether all samples of that slot so far were passed over.
    private var isOpen = false

    /// - Parameter rate: rate of the grid, in 0.001…1 000 000. Unit: Hz.
    package init(rate: Double) {
        millihertz = Int64((rate * 1000).rounded())
        precondition((1...1_000_000_000).contains(millihertz))
    }

    /// Whether the sample at `time` is the first in its slot, not counting samples that were passed over.
    package mutating func takes(_ time: BootTime) -> Bool {
        let current = slot(of: time)
        guard current != slot || isOpen else { return false }
        slot = current
        isOpen = false
        return true
    }

    /// Passes over the sample at `time` and leaves its slot open for a later sample.
    package mutating func passesOver(_ time: BootTime) {
        let current = slot(of: time)
        guard current != slot else { return }
        slot = current
        isOpen = true
    }

    /// Whether the sample at `time` is the first after a slot whose samples were all passed over; to be called before
    /// the other two methods.
    package mutating func leavesOpenSlot(_ time: BootTime) -> Bool {
        guard isOpen, slot(of: time) != slot else { return false }
        isOpen = false
        return true
    }

    private func slot(of time: BootTime) -> Int64 {
        let seconds = time.nanoseconds / 1_000_000_000
        let rest = time.nanoseconds % 1_000_000_000
        // Seconds and nanoseconds are multiplied separately, because nanoseconds times millihertz overflow 64 bits.
        return (seconds * millihertz + rest * millihertz / 1_000_000_000) / 1000
    }
}

/// Rate of events over about the last two seconds.
struct RateMeter {
    private var marks: [(count: UInt64, time: Int64)] = []
    private(set) var perSecond = 0.0

    /// Length of the window. Unit: nanoseconds.
    private static let window: Int64 = 2_000_000_000

    /// - Parameters:
    ///   - count: number of events since the start.
    ///   - time: current time on a monotonic clock. Unit: nanoseconds.
    mutating func observe(_ count: UInt64, at time: Int64) {
        marks.append((count, time))
        while marks.count > 2, time - marks[1].time >= Self.window { marks.removeFirst() }
        guard let first = marks.first, time > first.time else { return }
        perSecond = Double(count - first.count) / (Double(time - first.time) * 1e-9)
    }
}
