import Linux

/// Clock of a device's timestamps; the raw values are the kernel's names.
package enum StampClock: String, Hashable, Sendable {
    case boottime
    case monotonic
    case realtime
    /// The device has no timestamps, so this computer stamps samples on arrival.
    case host
}

/// Converts one device's timestamps to strictly increasing boot time.
///
/// The offset between the device's clock and boot time is read again for each batch, so that neither suspend nor a step
/// of the system clock affects the samples. If the result is implausible (a timestamp in the future or from long ago),
/// or if the clock is known to be another computer's, the smallest difference between arrival and timestamp so far is
/// used instead. The remaining error is the delay of the fastest batch, a few milliseconds.
package struct StampConverter: Sendable {
    package let clock: StampClock
    /// Whether the offset of the last batch was estimated from arrival times.
    package private(set) var isMapped: Bool
    /// Number of steps of the device's clock relative to boot time since the start.
    package private(set) var clockSteps = 0

    private let isForeign: Bool
    private var knownOffset: Int64?
    private var mappedOffset: Int64?
    private var lastBatchArrival: Int64?
    private var offset: Int64 = 0
    private var order = StampOrder()

    /// Starts without an offset.
    ///
    /// - Parameter isForeign: whether the timestamps are from another computer's clock.
    package init(clock: StampClock, isForeign: Bool) {
        self.clock = clock
        self.isForeign = isForeign
        isMapped = isForeign
    }

    /// Time by which a timestamp may lie in the future, because clocks are read one after the other: 5 ms.
    static let futureTolerance: Int64 = 5_000_000
    /// Largest plausible age of a sample, 10 s; an older timestamp is from another clock.
    static let oldestPlausible: Int64 = 10_000_000_000
    /// Smallest change of the offset between two batches that counts as a step, and not as slewing by NTP: 20 ms.
    static let minimumStep: Int64 = 20_000_000
    /// Growth of the delay beyond which the clock is assumed to have been set back: 1 s.
    static let maximumDelayChange: Int64 = 1_000_000_000
    /// Inverse of the maximum relative drift between two crystals: 100 ppm.
    static let driftDivisor: Int64 = 10_000

    /// Determines the offset for a batch.
    ///
    /// - Parameters:
    ///   - newest: the batch's last timestamp on the device's clock. Unit: ns.
    ///   - arrival: boot time of the batch's arrival. Unit: ns.
    ///   - clockOffset: present offset from the device's clock to boot time, by this computer's clocks. Unit: ns.
    package mutating func beginBatch(newest: Int64, arrival: Int64, clockOffset: Int64) {
        defer { lastBatchArrival = arrival }
        let previous = knownOffset ?? clockOffset
        knownOffset = clockOffset
        let isStep = clockOffset.distance(to: previous).magnitude > Self.minimumStep.magnitude
        if isStep { clockSteps += 1 }
        if !isForeign {
            // A sample that was taken before a step and read after it needs the earlier offset. Of the two offsets, the
            // one that gives the lower age is used.
            let now = age(newest, arrival, clockOffset)
            let before = isStep ? age(newest, arrival, previous) : nil
            if now != nil || before != nil {
                isMapped = false
                offset = before ?? .max < now ?? .max ? previous : clockOffset
                return
            }
        }
        isMapped = true
        offset = mapped(newest: newest, arrival: arrival)
    }

    /// Converts one timestamp of the batch to boot time. Unit: ns.
    ///
    /// - Returns: nil for a timestamp that is unset (0), implausible given its arrival, or not increasing.
    @inline(__always)
    package mutating func convert(_ stamp: Int64, arrival: Int64) -> Int64? {
        guard stamp != 0 else { return nil }
        guard let age = age(stamp, arrival, offset) else { return nil }
        let time = arrival - age
        return order.accepts(time, arrival: arrival) ? time : nil
    }

    /// Age of a timestamp on arrival in ns; nil if implausible.
    private func age(_ newest: Int64, _ arrival: Int64, _ offset: Int64) -> Int64? {
        let (time, overflow) = newest.addingReportingOverflow(offset)
        let (age, tooFar) = arrival.subtractingReportingOverflow(time)
        let isPlausible = !overflow && !tooFar && age >= -Self.futureTolerance && age <= Self.oldestPlausible
        return isPlausible ? age : nil
    }

    private mutating func mapped(newest: Int64, arrival: Int64) -> Int64 {
        let delay = arrival.subtractingReportingOverflow(newest).partialValue
        guard let smallest = mappedOffset else {
            mappedOffset = delay
            return delay
        }
        let passed = min(max(arrival - (lastBatchArrival ?? arrival), 0), Self.oldestPlausible)
        let allowed = smallest &+ passed / Self.driftDivisor
        let isReset =
            delay < allowed || delay.subtractingReportingOverflow(allowed).partialValue > Self.maximumDelayChange
        let offset = isReset ? delay : allowed
        mappedOffset = offset
        return offset
    }
}

/// Makes timestamps for batches that have none, by spreading them over the time before the arrival.
package struct ArrivalStamper: Sendable {
    private var last: Int64?

    package init() {}

    /// Computes evenly spaced timestamps, of which the last is the arrival. The step is the known period, or less if
    /// the timestamps would otherwise overlap the previous batch.
    ///
    /// - Returns: first timestamp and step. Unit: ns.
    package mutating func spread(count: Int, arrival: Int64, period: Int64) -> (first: Int64, step: Int64) {
        precondition(count > 0 && period > 0)
        var step = period
        var first = arrival - Int64(count - 1) * period
        if let last, first <= last {
            step = max((arrival - last) / Int64(count), 1)
            first = max(arrival - Int64(count - 1) * step, last + 1)
        }
        last = first + Int64(count - 1) * step
        return (first, step)
    }
}

/// Accepts only increasing timestamps. If they stay behind for half a second, the clock was set back, and the next one
/// is accepted.
struct StampOrder: Sendable {
    private var last = Int64.min
    private var lastAccepted = Int64.min
    private static let patience: Int64 = 500_000_000

    @inline(__always)
    mutating func accepts(_ time: Int64, arrival: Int64) -> Bool {
        if time <= last, arrival < lastAccepted + Self.patience { return false }
        last = time
        lastAccepted = arrival
        return true
    }
}

extension StampClock {
    /// Offset that is added to a timestamp of this clock to get boot time, by this computer's clocks at this moment.
    /// Unit: ns.
    var offsetToBoottime: Int64 {
        switch self {
        case .boottime, .host: 0
        case .monotonic: BootClock.monotonicOffsetNanoseconds
        case .realtime: -BootClock.realtimeOffsetNanoseconds
        }
    }
}
