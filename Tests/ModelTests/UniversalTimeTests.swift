import Geometry
import Model
import Testing

@Suite("UTC from fixes") struct UniversalTimeTests {
    private func fix(utcSeconds: Double?, epoch: Int64 = 1_000_000_000) -> GNSSFix {
        GNSSFix(
            epoch: BootTime(nanoseconds: epoch), arrival: BootTime(nanoseconds: epoch), utcSeconds: utcSeconds,
            position: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, ellipsoidalHeight: 500)!,
            hasHeight: true, velocityENU: .init(east: nil, north: nil, up: nil),
            positionSigma: .init(east: nil, north: nil, up: nil), velocitySigma: nil)
    }

    @Test("UTC is unknown before the first fix with UTC, and stays known")
    func learning() {
        var time = UniversalTime()
        time.learn(from: fix(utcSeconds: nil))
        #expect(time.offset == nil)
        time.learn(from: fix(utcSeconds: 3))
        #expect(time.offset == 2_000_000_000)
        time.learn(from: fix(utcSeconds: nil))
        #expect(time.offset == 2_000_000_000)
    }

    @Test("a fix beyond all dates changes nothing", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e12])
    func impossibleDates(seconds: Double) {
        var time = UniversalTime()
        time.learn(from: fix(utcSeconds: seconds))
        time.learn(from: fix(utcSeconds: -9.2e9, epoch: .max))
        #expect(time.offset == nil)
    }
}
