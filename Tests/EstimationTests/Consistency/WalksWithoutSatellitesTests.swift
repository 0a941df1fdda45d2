import Geometry
import Simulation
import Testing

/// Whether the published radius holds the truth as often as it promises while steps alone measure the way.
@Suite("Radius on walks without satellites")
struct WalksWithoutSatellitesTests {
    private static let seeds: ClosedRange<UInt64> = 1...40
    private static let allowed = 0.55...0.9
    /// Standard deviation between wearers of the angle between line of sight and way. Unit: radians.
    private static let lookingAside = 0.25

    private static func wear(_ settings: inout CityWalkSettings) {
        var random = RandomSource(seed: settings.seed, stream: 77)
        let aside = Vector3(0, lookingAside * random.normal(), 0)
        settings.wearing = .init(.head, Rotation3.exp(aside))
    }

    private func expectConsistent(
        during seconds: ClosedRange<Double>, _ change: @escaping @Sendable (inout CityWalkSettings) -> Void = { _ in },
        hasFix: @escaping @Sendable (Double) -> Bool
    ) async {
        let coverage = await RadiusCoverage.ofWalks(
            Self.seeds, during: seconds,
            {
                Self.wear(&$0)
                change(&$0)
            }, hasFix: hasFix)
        #expect(coverage.unknown == 0)
        #expect(Self.allowed.contains(coverage.share), "\(coverage.share)")
    }

    @Test("the radius holds the truth in about 68 % of the time after a minute with satellites")
    func known() async { await expectConsistent(during: 90...200) { $0 < 60 } }

    @Test("the radius holds the truth in about 68 % of the time after a minute with satellites, by the gyroscope alone")
    func knownWithoutField() async {
        await expectConsistent(during: 90...200, { $0.magneticRate = 0 }, hasFix: { $0 < 60 })
    }

    @Test("the radius holds the truth in about 68 % of the time after a single fix")
    func single() async { await expectConsistent(during: 30...150) { 20.0..<21 ~= $0 } }

    @Test("the radius holds the truth in about 68 % of the time with a fix each half minute")
    func rare() async { await expectConsistent(during: 60...200) { $0.truncatingRemainder(dividingBy: 30) < 1 } }
}
