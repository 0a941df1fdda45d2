import Sensors
import Testing

@Suite("Rhythm of epochs")
struct EpochIntervalTests {
    private static let second: Int64 = 1_000_000_000

    /// The answers to epochs at these times.
    private func gaps(_ times: [Int64]) -> [Bool] {
        var interval = EpochInterval()
        return times.map { interval.isGap(before: epoch($0)) }
    }

    private func epoch(_ time: Int64, hasTime: Bool = true) -> EpochAssembler.Epoch {
        .init(fix: .init(), time: hasTime ? time : nil, sigmas: nil, arrival: time)
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

    @Test("an epoch by another clock is no gap, and the interval is that of the new clock")
    func clocks() {
        var interval = EpochInterval()
        let utc = 1_700_000_000 * Self.second
        for number in 0..<5 as Range<Int64> { _ = interval.isGap(before: epoch(utc + number * Self.second / 10)) }
        #expect(interval.rate == 10)
        for (number, hasTime) in [(0, false), (2, false), (4, false), (6, true), (7, true)] as [(Int64, Bool)] {
            let time = (hasTime ? utc : 0) + number * Self.second
            #expect(interval.isGap(before: epoch(time, hasTime: hasTime)) == false)
            if number == 0 || number == 6 { #expect(interval.rate == nil) }
        }
        #expect(interval.rate == 1)
    }
}
