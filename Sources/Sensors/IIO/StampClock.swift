/// The clock of a device's stamps.
public enum StampClock: String, Hashable, Sendable {
    case boottime
    case monotonic
    case realtime
    /// Stamped by this computer on arrival.
    case host
}

/// Turns the stamps of one device into boot time, and keeps them going forward.
///
/// The difference between the device's clock and boot time is taken anew with each batch, so that neither suspend nor
/// a step of the system's clock gets into the samples. Where the result cannot be (a stamp from the future, or of
/// long ago) or the clock is known to be another computer's, the smallest difference between arrival and stamp seen
/// so far takes its place: what then stays in the stamps is the delay of the fastest batch, a few milliseconds.
public struct StampConverter: Sendable {
    public let clock: StampClock
    /// Whether the last batch was mapped by its arrival.
    public private(set) var isMapped: Bool
    /// Steps of the device's clock against boot time since the start.
    public private(set) var clockSteps = 0

    private let isForeign: Bool
    private var knownOffset: Int64?
    private var mappedOffset: Int64?
    private var lastBatchArrival: Int64?
    private var offset: Int64 = 0
    private var order = StampOrder()

    /// - Parameter isForeign: the stamps are of another computer's clock.
    public init(clock: StampClock, isForeign: Bool) {
        self.clock = clock
        self.isForeign = isForeign
        isMapped = isForeign
    }

    /// A stamp that lies further in the future than clocks read one after the other can differ. 5 ms.
    static let futureTolerance: Int64 = 5_000_000
    /// A sample older than this did not wait in a buffer: its clock is another one. 10 s.
    static let oldestPlausible: Int64 = 10_000_000_000
    /// A change of the offset that is a step and not the slewing of NTP. 20 ms between two batches.
    static let smallestStep: Int64 = 20_000_000
    /// Delays grow by more than this only when the clock was set back. 1 s.
    static let largestDelayChange: Int64 = 1_000_000_000
    /// Two crystals differ by less than 100 parts in a million.
    static let driftDivisor: Int64 = 10_000

    /// Chooses the offset for a batch.
    ///
    /// - Parameters:
    ///   - newest: the batch's last stamp on the device's clock. Unit: ns.
    ///   - arrival: when it came, in boot time. Unit: ns.
    ///   - clockOffset: to add to the device's clock to get boot time, as this computer's clocks have it now. Unit: ns.
    public mutating func beginBatch(newest: Int64, arrival: Int64, clockOffset: Int64) {
        defer { lastBatchArrival = arrival }
        let previous = knownOffset ?? clockOffset
        knownOffset = clockOffset
        let isStep = clockOffset.distance(to: previous).magnitude > Self.smallestStep.magnitude
        if isStep { clockSteps += 1 }
        if !isForeign {
            // A sample taken before a step and read after it belongs to the offset before it: the younger one is true.
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

    /// One stamp of the batch in boot time.
    ///
    /// - Returns: nil for a stamp that is unset (0), cannot be at its arrival or does not go forward.
    @inline(__always)
    public mutating func convert(_ stamp: Int64, arrival: Int64) -> Int64? {
        guard stamp != 0 else { return nil }
        guard let age = age(stamp, arrival, offset) else { return nil }
        let time = arrival - age
        return order.accepts(time, arrival: arrival) ? time : nil
    }

    /// How old a stamp is on arrival; nil when that cannot be.
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
            delay < allowed || delay.subtractingReportingOverflow(allowed).partialValue > Self.largestDelayChange
        let offset = isReset ? delay : allowed
        mappedOffset = offset
        return offset
    }
}

/// Spreads batches that carry no stamps over the time before their arrival.
public struct ArrivalStamper: Sendable {
    private var last: Int64?

    public init() {}

    /// Stamps at the known period ending at the arrival, drawn together where they would reach back into the batch
    /// before.
    ///
    /// - Returns: the first stamp and the distance between two. Unit: ns.
    public mutating func spread(count: Int, arrival: Int64, period: Int64) -> (first: Int64, step: Int64) {
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

/// Lets only stamps pass that go forward; when they stay behind for half a second their clock was set back, and the
/// new order counts.
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
