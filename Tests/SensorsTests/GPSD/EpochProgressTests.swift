import Sensors
import Testing

@Suite("Whether a receiver's clock goes on")
struct EpochProgressTests {
    private static let second: Int64 = 1_000_000_000
    private static let limit = 5 * EpochProgressTests.second

    /// Standstill after each of the fixes, one a second.
    private func standstills(_ times: [Int64]) -> [Bool] {
        var progress = EpochProgress()
        return times.enumerated().map { index, time in
            progress.take(time * Self.second, arrival: Int64(index) * Self.second)
            return progress.isStandingStill(limit: Self.limit)
        }
    }

    @Test("one that goes on does, whatever its rate, its gaps and its repetitions")
    func usual() {
        #expect(!standstills(Array(100..<140)).contains(true))
        #expect(!standstills([100, 100, 101, 101, 102, 130, 131, 131, 4000, 4001]).contains(true))
    }

    @Test("one that stands still is noticed after the limit, and when it goes on again")
    func standing() {
        let found = standstills(Array(100..<110) + Array(repeating: 109, count: 20) + Array(110..<120))
        #expect(!found[..<15].contains(true))
        #expect(found[15..<30].allSatisfy { $0 })
        #expect(!found[30...].contains(true))
    }

    @Test("one that goes back is noticed, by little or by much at a time", arguments: [1, 3, 11, 1000] as [Int64])
    func back(step: Int64) {
        let found = standstills((0..<40).map { 1_000_000 - $0 * step })
        #expect(found[6...].allSatisfy { $0 })
    }

    @Test("one that is set back once goes on from there")
    func setBack() {
        let found = standstills(Array(100_000..<100_020) + Array(500..<520))
        #expect(!found.contains(true))
    }

    @Test("times at the ends of the range are no more than times")
    func extremes() {
        #expect(standstills([1, 4_000_000_000, 1, 4_000_000_000]).count == 4)
    }
}
