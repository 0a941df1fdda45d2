import Sensors
import Testing

@Suite("Stamping a fix by its arrival")
struct ArrivalStampTests {
    private static let second: Int64 = 1_000_000_000
    /// Degrees of latitude in a metre, as in the definition of the nautical mile: to half a per cent.
    private static let metre = 1.0 / 60 / 1852

    private func epoch(_ number: Int64, northMetres: Double, speed: Double? = nil) -> EpochAssembler.Epoch {
        var fix = GPSDReport.FixReport()
        fix.position = .init(latitudeDegrees: 48 + northMetres * Self.metre, longitudeDegrees: 11)
        (fix.east, fix.north) = (speed, speed.map { _ in 0 })
        return .init(fix: fix, time: nil, sigmas: nil, arrival: number * Self.second)
    }

    @Test("the latency is that of the settings, until it has been measured")
    func latency() {
        var stamp = ArrivalStamp(latencyNanoseconds: 200_000_000)
        #expect(stamp.latency == 200_000_000 && !stamp.isLearned)
        for number in 0..<20 as Range<Int64> { stamp.learn(number % 5 == 0 ? 900_000_000 : 310_000_000) }
        #expect(stamp.latency == 310_000_000 && stamp.isLearned)
        stamp.restart()
        #expect(stamp.latency == 200_000_000 && !stamp.isLearned)
    }

    @Test("the faster the receiver, the less is its place known: by its velocity, else by its places")
    func speed() {
        for speed in [10.0, 30] {
            var reporting = ArrivalStamp(latencyNanoseconds: 0)
            var positioned = ArrivalStamp(latencyNanoseconds: 0)
            _ = positioned.uncertainty(epoch(0, northMetres: 0), interval: Self.second)
            let byVelocity = reporting.uncertainty(epoch(1, northMetres: speed, speed: speed), interval: Self.second)
            let byPlaces = positioned.uncertainty(epoch(1, northMetres: speed), interval: Self.second)
            // 0.2 s of latency and 1 s by the root of 12.
            #expect(abs(byVelocity.position - speed * 0.3512) < 0.001 * speed)
            #expect(abs(byPlaces.position - byVelocity.position) < 0.01 * speed)
        }
    }

    @Test("at rest a walk is expected, a slow receiver is known less, and one that was measured more")
    func rest() {
        var stamp = ArrivalStamp(latencyNanoseconds: 0)
        let usual = stamp.uncertainty(epoch(0, northMetres: 0, speed: 0), interval: Self.second)
        #expect(usual.position > 0.5 && usual.position < 0.6)
        let slow = stamp.uncertainty(epoch(0, northMetres: 0, speed: 0), interval: 2 * Self.second)
        #expect(slow.position > 1.5 * usual.position)
        for _ in 0..<9 { stamp.learn(300_000_000) }
        let learned = stamp.uncertainty(epoch(0, northMetres: 0, speed: 0), interval: Self.second)
        #expect(learned.position < 0.5 * usual.position && learned.velocity < 0.5 * usual.velocity)
    }

    @Test("gpsd's address is read of a receiver's identifier")
    func address() {
        #expect(GPSDAddress("gpsd localhost:2947 /dev/ttyACM0") == GPSDAddress(host: "localhost", port: 2947))
        #expect(GPSDAddress("gpsd ::1:2948") == GPSDAddress(host: "::1", port: 2948))
        for other in ["iio:device0", "gpsd", "gpsd localhost", "gpsd :2947", "gpsd host:port", ""] {
            #expect(GPSDAddress(other) == nil)
        }
    }
}
