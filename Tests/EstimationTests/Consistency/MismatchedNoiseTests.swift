import BoardHandling
import Simulation
import Testing

/// Whether the published radius holds the truth as often as it promises while the receiver is worse than it reports.
@Suite("Consistency under mismatched noise")
struct MismatchedNoiseTests {
    private static let seeds: ClosedRange<UInt64> = 1...40
    /// When the radius is held against the truth: after time enough to learn how large the receiver's errors are.
    /// Unit: seconds.
    private static let settled = 120.0...420.0
    /// About 68 %, less two standard deviations: errors that last leave 40 walks with about a hundred independent ones,
    /// and so with one of 0.05. Too large a radius does less harm than one too small.
    private static let allowed = 0.58...0.85

    private func expectConsistent(_ gnss: SensorErrors.GNSS) async {
        let coverage = await RadiusCoverage.ofWalks(Self.seeds, during: Self.settled) { $0.errors.gnss = gnss }
        #expect(coverage.poses == Self.seeds.count * 300)
        #expect(coverage.unknown == 0)
        #expect(Self.allowed.contains(coverage.share), "\(coverage.share)")
    }

    @Test("the radius holds the truth in about 68 % of the time, the receiver being as good as it reports")
    func typical() async { await expectConsistent(.typical) }

    @Test("the radius holds the truth in about 68 % of the time, the fixes' errors being twice as large as reported")
    func understated() async { await expectConsistent(.understated(by: 2)) }

    @Test("the radius holds the truth in about 68 % of the time, the fixes' errors lasting for 300 s")
    func longLasting() async { await expectConsistent(.longLasting) }

    @Test("the radius holds the truth in about 68 % of the time, the fixes' errors being three times as reported")
    func threeTimesUnderstated() async { await expectConsistent(.understated(by: 3)) }

    @Test("the radius holds the truth in about 68 % of the time, the velocities being off for a minute")
    func wanderingVelocity() async { await expectConsistent(.wanderingVelocity) }
}
