import Model
import Service
import Testing

@Suite("Rate divider")
struct RateDividerTests {
    /// Boot times of `count` samples at `rate` Hz, from an uptime of 100 days.
    private func stamps(rate: Double, count: Int) -> [BootTime] {
        (0..<count).map { BootTime(nanoseconds: 8_640_000_000_000_000 + Int64(Double($0) * 1e9 / rate)) }
    }

    @Test("takes the asked number a second", arguments: [1.0, 7.5, 60, 90, 200])
    func rate(rate: Double) {
        var divider = RateDivider(rate: rate)
        let taken = stamps(rate: 200, count: 2000).filter { divider.takes($0) }
        // The first sample may fall into a slot that has begun: one more than ten seconds' worth.
        #expect(abs(taken.count - Int(rate * 10)) <= 1)
    }

    @Test("takes every sample of a source that is slower than the rate")
    func slowSource() {
        var divider = RateDivider(rate: 1000)
        let taken = stamps(rate: 200, count: 400).filter { divider.takes($0) }
        #expect(taken.count == 400)
    }

    @Test("two of one rate take the same samples, whenever they began")
    func commonGrid() {
        var early = RateDivider(rate: 60)
        var late = RateDivider(rate: 60)
        let all = stamps(rate: 200, count: 600)
        let takenEarly = all.filter { early.takes($0) }
        let takenLate = all[100...].filter { late.takes($0) }
        // The late one's first sample is taken in the middle of a slot.
        #expect(Set(takenEarly).isSuperset(of: takenLate.dropFirst()))
        #expect(takenLate.count > 140)
    }

    @Test("a slot whose samples were passed over takes a later one, and counts as lost when there is none")
    func passedOver() {
        var divider = RateDivider(rate: 10)
        let times = [0, 20, 40, 110, 120, 310].map { BootTime(nanoseconds: 5_000_000_000 + $0 * 1_000_000) }
        divider.passesOver(times[0])
        divider.passesOver(times[1])
        let within = (lost: divider.leavesOpenSlot(times[2]), taken: divider.takes(times[2]))
        #expect(within == (false, true))
        let next = divider.leavesOpenSlot(times[3])
        divider.passesOver(times[3])
        divider.passesOver(times[4])
        let after = (lost: divider.leavesOpenSlot(times[5]), again: divider.leavesOpenSlot(times[5]))
        #expect((next, after.lost, after.again) == (false, true, false))
        let last = (divider.takes(times[5]), divider.takes(times[5]))
        #expect(last == (true, false))
    }

    @Test("a step back of time does not silence the stream")
    func stepBack() {
        var divider = RateDivider(rate: 10)
        let verdicts = [5_000_000_000, 1_000_000_000, 1_050_000_000].map { divider.takes(BootTime(nanoseconds: $0)) }
        #expect(verdicts == [true, true, false])
    }
}
