import Formats
import Geodesy
import Measurements
import Testing

@Suite("UTC from fixes") struct UniversalTimeTests {
    private func fix(utcSeconds: Double?, epoch: Int64 = 1_000_000_000) -> GNSSFix {
        GNSSFix(
            epoch: BootTime(nanoseconds: epoch), arrival: BootTime(nanoseconds: epoch), utcSeconds: utcSeconds,
            position: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, ellipsoidalHeight: 500)!,
            heightKind: .ellipsoidal, velocityENU: .init(east: nil, north: nil, up: nil),
            positionSigma: .init(east: nil, north: nil, up: nil), velocitySigma: nil)
    }

    @Test("UTC is not known before a fix has told it, and stays known")
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

    @Test(
        "the first and the last instant of 64 bits are dates",
        arguments: [
            (Int64.min, "1677-09-21T00:12:43.145224Z"), (-1, "1969-12-31T23:59:59.999999Z"),
            (0, "1970-01-01T00:00:00.000000Z"), (Int64.max, "2262-04-11T23:47:16.854775Z"),
        ])
    func bounds(nanoseconds: Int64, text: String) {
        var buffer = TextBuffer(capacity: 64)
        buffer.append(rfc3339: nanoseconds)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == text)
    }
}
