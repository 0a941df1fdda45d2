import Sensors
import Testing

@Suite("Rhythm of epochs")
struct EpochIntervalTests {
    private static let second: Int64 = 1_000_000_000

    /// The answers to epochs at these times.
    private func gaps(_ times: [Int64]) -> [Bool] {
        var interval = EpochInterval()
        return times.map { interval.isGap(before: $0) }
    }

    @Test("a missing epoch is a gap, a late one is not")
    func missing() {
        let times = [0, 1, 2, 3, 5, 6].map { Int64($0) * Self.second }
        #expect(gaps(times) == [false, false, false, false, false, false])
        #expect(gaps(times + [9 * Self.second]) == [false, false, false, false, false, false, true])
    }

    @Test("a date that jumps over centuries and back is a gap at most")
    func jumps() {
        let far: Int64 = 9_000_000_000 * Self.second
        #expect(gaps([1, far, far + 1, far + Self.second]) == [false, false, false, true])
    }
}
