/// Histogram of latencies with fixed bounds; adding a latency allocates no memory.
package struct LatencyHistogram: Sendable {
    /// Upper bounds, increasing. The first is below the usual latency of a buffered sensor, and the last is a latency
    /// that a wearer notices immediately. Unit: microseconds.
    package static let boundsMicroseconds: [Int64] = [
        500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
    ]
    /// A latency above this value, an hour, counts as this value in the sum, so that the sum cannot overflow. Unit:
    /// nanoseconds.
    private static let maximum: Int64 = 3_600_000_000_000

    /// Number of latencies between each bound and the bound before it.
    private var counts = InlineArray<10, UInt64>(repeating: 0)
    /// Number of all latencies, including those beyond the last bound.
    package private(set) var count: UInt64 = 0
    /// Sum of all latencies. Unit: nanoseconds, modulo 2^64.
    private var sum: UInt64 = 0

    package init() {
        precondition(counts.count == Self.boundsMicroseconds.count, "a count for each bound")
    }

    /// Adds a latency; a negative one, from a sensor whose clock is ahead, counts as 0. Unit: nanoseconds.
    package mutating func add(nanoseconds: Int64) {
        let latency = min(max(0, nanoseconds), Self.maximum)
        count += 1
        sum &+= UInt64(latency)
        for index in counts.indices where latency <= Self.boundsMicroseconds[index] * 1000 {
            counts[index] += 1
            return
        }
    }

    /// Sum of all latencies. Unit: seconds.
    package var sumSeconds: Double { Double(sum) * 1e-9 }

    /// For each bound, the number of latencies that do not exceed it.
    package var cumulativeCounts: [UInt64] {
        var total: UInt64 = 0
        return counts.indices.map { index in
            total += counts[index]
            return total
        }
    }
}
