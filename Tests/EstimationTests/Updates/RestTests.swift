import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Rest")
struct RestTests {
    @Test("a smooth vehicle at constant speed that loses its satellites is not at rest", arguments: [UInt64(1), 2, 3])
    func outage(seed: UInt64) {
        var drive = Drive(seed: seed)
        drive.isSeen = { $0 < 70 }
        let trace = drive.trace()
        #expect(trace.rested[5..<19].contains(true))
        #expect(!trace.rested[30..<100].contains(true))
        // An accelerometer's bias of 0.01 m/s² that is left makes 4.5 m of 30 s; at rest it would be 450 m.
        #expect(trace.worst(70..<101) < 25)
    }

    @Test("nor is one whose receiver measures no velocity", arguments: [UInt64(1), 2])
    func withoutVelocity(seed: UInt64) {
        var drive = Drive(seed: seed)
        drive.hasVelocity = false
        let trace = drive.trace()
        #expect(!trace.rested[30..<120].contains(true))
        // Without a heading it follows the positions, of 1 m each second, with 15 m/s.
        #expect(trace.worst(30..<120) < 10)
    }

    @Test("a stop without satellites is noticed and ends the drift")
    func stop() {
        var drive = Drive(seconds: 150)
        drive.speed = { 10 * min(1, max(0, ($0 - 20) / 5)) * min(1, max(0, (95 - $0) / 5)) }
        drive.course = { 0.3 * sin(0.2 * max(0, $0 - 25)) }
        drive.isSeen = { $0 < 80 }
        let trace = drive.trace()
        #expect(trace.rested[100..<150].contains(true))
        #expect(trace.velocityError[149] < 0.05)
        #expect(trace.worst(100..<150) < 20)
    }

    @Test(
        "a part that was never calibrated shows its bias at the first rest, an even turn later does not",
        arguments: [1.0, 5.7])
    func largeBias(factor: Double) throws {
        var drive = Drive(seconds: 90)
        drive.gyroBias = Vector3(0.057, -0.019, 0.009) * factor
        drive.speed = { _ in 0 }
        // 2 °/s for 15 s, as smooth as rest.
        drive.course = { 0.035 * min(15, max(0, $0 - 40)) }
        let filter = try #require(drive.trace().filter)
        #expect((filter.state.gyroBias - drive.gyroBias).norm < 1e-3)
    }

    @Test("a slow turn at the start is not taken for the bias of the gyroscope")
    func slowTurn() throws {
        var drive = Drive(seconds: 60)
        drive.speed = { _ in 0 }
        // Up to 3.4 °/s.
        drive.course = { 0.3 * sin(0.2 * $0) }
        let filter = try #require(drive.trace().filter)
        #expect((filter.state.gyroBias - drive.gyroBias).norm < 0.01)
    }

    @Test("noisy parts rest as quiet ones do", arguments: [1e-4, 5e-4, 9e-4])
    func noisy(gyroNoise: Double) {
        var detector = RestDetector()
        var random = Seeded(6)
        let settings = EstimatorSettings().rest
        for rate in [50.0, 100, 400, 1000] {
            detector = RestDetector()
            for k in 0..<Int(6 * rate) {
                let density = rate.squareRoot()
                detector.add(
                    InertialSample(
                        time: Fixture.time(Double(k) / rate), rate: random.vector(gyroNoise * density),
                        force: Vector3(0, 0, 9.8) + random.vector(8 * gyroNoise * density)), settings: settings)
            }
            #expect(detector.isResting, "\(rate) Hz")
        }
    }

    @Test("a head that looks about is not at rest, however noisy the part")
    func moving() {
        var detector = RestDetector()
        var random = Seeded(7)
        var rested = false
        for k in 0..<3000 {
            let t = Double(k) / 100
            detector.add(
                InertialSample(
                    time: Fixture.time(t), rate: Vector3(0, 0.2 * sin(2 * t), 0) + random.vector(9e-3),
                    force: Vector3(0, 0, 9.8) + random.vector(0.07)), settings: EstimatorSettings().rest)
            rested = rested || detector.isResting
        }
        #expect(!rested)
    }
}
