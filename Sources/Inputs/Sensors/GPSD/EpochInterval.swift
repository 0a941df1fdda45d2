/// Measured interval of a receiver's epochs, and detection of missing ones.
package struct EpochInterval {
    private static let remembered = 8
    /// Tolerance for the rounding of times.
    private static let toleranceNanoseconds: Int64 = 50_000_000

    private var last: Int64?
    /// Whether the times are arrival times, because the receiver has no clock.
    private var isByArrival = false
    private var recent: [Int64] = []

    package init() { recent.reserveCapacity(Self.remembered) }

    /// Shortest of the latest intervals, because missing epochs only lengthen intervals. Unit: ns.
    package var intervalNanoseconds: Int64? { recent.min() }

    /// Rate of epochs; nil before the second epoch. Unit: Hz.
    package var rate: Double? { intervalNanoseconds.map { 1e9 / Double($0) } }

    /// Adds the next epoch. The measurement restarts if this epoch and the previous one were stamped by different
    /// clocks.
    ///
    /// - Returns: whether more than twice the usual interval has passed since the previous epoch.
    package mutating func isGap(before epoch: EpochAssembler.Epoch) -> Bool {
        let isArrival = epoch.time == nil
        if isArrival != isByArrival {
            (isByArrival, last) = (isArrival, nil)
            recent.removeAll(keepingCapacity: true)
        }
        return isGap(before: epoch.time ?? epoch.arrival)
    }

    private mutating func isGap(before time: Int64) -> Bool {
        defer { last = time }
        guard let last, time > last else { return false }
        let interval = time - last
        let isGap = intervalNanoseconds.map { interval - $0 > $0 + Self.toleranceNanoseconds } ?? false
        if recent.count == Self.remembered { recent.removeFirst() }
        recent.append(interval)
        return isGap
    }
}
