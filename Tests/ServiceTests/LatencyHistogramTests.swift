import Service
import Testing

@Suite("Latency histogram")
struct LatencyHistogramTests {
    @Test("counts latencies at or below each bound, and all of them in count and sum")
    func bounds() {
        var histogram = LatencyHistogram()
        for microseconds: Int64 in [100, 500, 501, 4000, 500_000, 500_001, 2_000_000] {
            histogram.add(nanoseconds: microseconds * 1000)
        }
        #expect(LatencyHistogram.boundsMicroseconds.first == 500 && LatencyHistogram.boundsMicroseconds.last == 500_000)
        #expect(histogram.cumulativeCounts == [2, 3, 3, 4, 4, 4, 4, 4, 4, 5])
        #expect(histogram.count == 7)
        // Of numbers of microseconds: exact but for the rounding of a double.
        #expect(abs(histogram.sumSeconds - 3.005102) < 1e-12)
    }

    @Test("its bounds increase, and are decimal numbers of seconds")
    func order() {
        let bounds = LatencyHistogram.boundsMicroseconds
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
        #expect(LatencyHistogram().cumulativeCounts.count == bounds.count)
    }

    @Test("counts a stamp that is ahead as no latency, and an absurd one with a bounded sum")
    func absurd() {
        var histogram = LatencyHistogram()
        histogram.add(nanoseconds: .min)
        #expect(histogram.cumulativeCounts.first == 1 && histogram.sumSeconds == 0)
        for _ in 0..<3 { histogram.add(nanoseconds: .max) }
        #expect(histogram.count == 4 && histogram.cumulativeCounts.last == 1)
        #expect(histogram.sumSeconds == 3 * 3600)
    }
}
