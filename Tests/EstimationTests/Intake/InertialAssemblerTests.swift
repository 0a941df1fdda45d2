import Estimation
import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("Pairs of angular rates and forces")
struct InertialAssemblerTests {
    /// What came out, with forces by their x.
    private struct Pair: Equatable {
        var milliseconds: Int
        var force: Double
        var isStale = false
    }

    private var assembler = InertialAssembler()
    private var pairs: [Pair] = []

    private static func time(_ milliseconds: Int) -> BootTime { Fixture.time(Double(milliseconds) / 1000) }

    private mutating func take() {
        while let sample = assembler.pop() {
            let milliseconds = Int((sample.time.seconds(since: Fixture.start) * 1000).rounded())
            pairs.append(Pair(milliseconds: milliseconds, force: sample.force.x, isStale: sample.isForceStale))
        }
    }

    private mutating func rates(_ times: Int...) {
        for each in times {
            assembler.push(AngularRateSample(time: Self.time(each), rate: .zero))
            take()
        }
    }

    private mutating func force(_ time: Int, _ x: Double) {
        assembler.push(SpecificForceSample(time: Self.time(time), force: Vector3(x, 0, 0)))
        take()
    }

    @Test("a rate between two forces has the one at its instant")
    mutating func interpolation() {
        force(0, 1)
        rates(0, 10)
        #expect(pairs == [Pair(milliseconds: 0, force: 1)])
        force(40, 5)
        #expect(pairs.dropFirst() == [Pair(milliseconds: 10, force: 2)])
    }

    @Test("a rate that waits in vain goes on with the last force, which is said to be stale once it is old")
    mutating func silence() {
        force(0, 1)
        rates(0, 40, 80, 120, 160, 200, 240)
        #expect(pairs == [0, 40, 80, 120, 160].map { Pair(milliseconds: $0, force: 1, isStale: $0 > 100) })
        #expect(assembler.held == 4)
    }

    @Test("after a gap of both, rates wait for a new force if the attitude is lost, and do not otherwise")
    mutating func gap() {
        force(0, 1)
        rates(0, 20, 1900, 1960)
        #expect(pairs.map(\.milliseconds) == [0, 20, 1900] && pairs.last?.isStale == true)
        rates(5000, 5040, 5080, 5120, 5160)
        #expect(pairs.map(\.milliseconds) == [0, 20, 1900, 1960])
        force(5100, 2)
        // Only those within the patience before it go with it.
        #expect(pairs.dropFirst(4) == [Pair(milliseconds: 5080, force: 2)])
        force(5200, 2)
        #expect(pairs.dropFirst(5) == [Pair(milliseconds: 5120, force: 2), Pair(milliseconds: 5160, force: 2)])
    }

    @Test("a force that is there again before the rates goes with them")
    mutating func forceFirst() {
        force(0, 1)
        rates(0)
        force(4990, 2)
        rates(5000)
        force(5010, 2)
        #expect(pairs == [Pair(milliseconds: 0, force: 1), Pair(milliseconds: 5000, force: 2)])
    }
}
