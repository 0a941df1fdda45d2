/// Sampling instants of one sensor, exact at any rate: a sum of rounded intervals would drift.
package struct SampleTicks {
    private let rate: Int64
    private let offset: Int64
    private var index: Int64 = 0

    /// Instants at a rate, from an offset on; none at a rate of 0. Units: Hz, nanoseconds.
    package init(rate: Int, offset: Int64) {
        precondition(rate >= 0 && rate <= 1_000_000, "a sensor has a rate from 0 to 1 MHz")
        self.rate = Int64(rate)
        self.offset = offset
    }

    /// The next instant; `Int64.max` for a rate of 0. Unit: nanoseconds since the start.
    package var next: Int64 {
        guard rate > 0 else { return .max }
        let (seconds, part) = index.quotientAndRemainder(dividingBy: rate)
        return seconds * 1_000_000_000 + part * 1_000_000_000 / rate + offset
    }

    /// Returns the next instant and advances.
    package mutating func take() -> Int64 {
        defer { index += 1 }
        return next
    }
}
