import Estimation
import EstimatorFixtures
import Geometry
import Testing

@Suite("Jumps of a receiver's error")
struct PositionJumpsTests {
    private static let velocity = Vector3(1.2, 0.6, 0)

    private static let motion = PositionJumps.Motion(velocity: velocity, variance: 0.01)

    private static func fix(_ seconds: Double, _ position: Vector3) -> LocalFix {
        LocalFix(
            time: Fixture.time(seconds), position: position, hasHeight: true,
            positionStandardDeviation: Vector3(2.8, 2.8, 5), velocity: velocity,
            hasVerticalVelocity: true, velocityStandardDeviation: 0.12, antennaInBody: .zero, site: Walk.site)
    }

    /// What is taken off the positions of a walker, by the second.
    ///
    /// - Parameters:
    ///   - interval: between fixes. Unit: seconds.
    ///   - error: of the receiver beside its noise, at a time. Unit: metres.
    private static func assess(
        seconds: Int, seed: UInt64 = 1, interval: Double = 1, motion: PositionJumps.Motion = motion,
        error: (Double) -> Vector3
    ) -> [PositionJumps.Assessment] {
        var (jumps, random) = (PositionJumps(), Seeded(seed))
        return (0..<Int(Double(seconds) / interval)).map { k in
            let t = Double(k) * interval
            return jumps.assess(
                fix(t, Self.velocity * t + error(t) + random.vector(1)), scale: 1, motion: motion,
                settings: EstimatorSettings.GNSS())
        }
    }

    private static func away(_ size: Double, _ times: Range<Double>) -> (Double) -> Vector3 {
        { times.contains($0) ? Vector3(0.6, -0.8, 0) * size : .zero }
    }

    @Test(
        "are taken off from the first position on, until the receiver is back", arguments: [12.0, 40],
        [1, 2, 3] as [UInt64])
    func reflection(size: Double, seed: UInt64) {
        let found = Self.assess(seconds: 90, seed: seed, error: Self.away(size, 40..<60))
        for t in 0..<90 {
            let truth = Self.away(size, 40..<60)(Double(t))
            #expect((found[t].offset - truth).norm < (truth == .zero ? 1e-9 : 5), "second \(t)")
            #expect(!found[t].isReturn)
        }
    }

    @Test("are not seen in noise", arguments: 1...4 as ClosedRange<UInt64>)
    func noise(seed: UInt64) {
        #expect(Self.assess(seconds: 2000, seed: seed, error: { _ in .zero }).allSatisfy { $0.offset == .zero })
    }

    @Test("that last are the receiver's return from an earlier error", arguments: [(30.0, 60), (120, 10)])
    func lasting(size: Double, seconds: Int) {
        let found = Self.assess(seconds: 200, error: Self.away(size, 40..<1e9))
        #expect(found.indices.filter { found[$0].isReturn } == [40 + seconds])
        #expect(found[(40 + seconds)...].allSatisfy { $0.offset == .zero })
    }

    @Test("are not seen in the first seconds of a stream, nor over a gap")
    func unsteady() {
        #expect(Self.assess(seconds: 40, error: Self.away(40, 10..<1e9)).allSatisfy { $0.offset == .zero })
        let rare = Self.assess(seconds: 200, interval: 4, error: Self.away(40, 100..<1e9))
        #expect(rare.allSatisfy { $0.offset == .zero })
    }

    @Test("are not seen where the wearer walks the other way than a wrong heading says", arguments: [1.0, 2, 3])
    func wrongHeading(interval: Double) {
        let found = Self.assess(
            seconds: 300, interval: interval,
            motion: .init(velocity: -1 * Self.velocity, variance: Self.velocity.dot(Self.velocity)),
            error: { _ in .zero })
        #expect(found.allSatisfy { $0.offset == .zero })
    }

    @Test("that follow each other are given up as one")
    func chain() {
        // As if the velocity were wrong by 12 m/s: each position is a jump.
        let found = Self.assess(seconds: 60) { $0 < 30 ? .zero : Vector3(12 * ($0 - 29), 0, 0) }
        let first = found.firstIndex { $0.offset != .zero }
        #expect(first == 30)
        #expect(found.firstIndex { $0.isReturn } == 40)
        #expect(found[40..<55].allSatisfy { $0.offset == .zero }, "a new stream has to be steady first")
    }

    @Test("leave what was taken off to the receiver's error over a gap")
    func gap() {
        let seconds = (0..<50).map(Double.init) + [54, 55]
        var jumps = PositionJumps()
        let found = seconds.map { t in
            jumps.assess(
                Self.fix(t, Self.velocity * t + Self.away(30, 40..<1e9)(t)), scale: 1, motion: Self.motion,
                settings: EstimatorSettings.GNSS())
        }
        #expect(abs(found[50].remainder.norm - 30) < 1e-9)
        #expect(found[50].offset == .zero && found[51].offset == .zero && found[51].remainder == .zero)
    }

    @Test("last over a position that is reported twice")
    func twice() {
        var jumps = PositionJumps()
        var found: [Double] = []
        for t in (0...40).map(Double.init) + [40, 41] {
            let position = Self.velocity * t + Self.away(30, 39..<1e9)(t)
            let assessment = jumps.assess(
                Self.fix(t, position), scale: 1, motion: Self.motion, settings: EstimatorSettings.GNSS())
            found.append(assessment.offset.norm)
        }
        #expect(found.suffix(4).allSatisfy { abs($0 - 30) < 1e-9 } && found[38] == 0)
    }
}
