import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Vibration meter")
struct VibrationMeterTests {
    private func meter(
        rate: Double, seconds: Double, _ sample: (Double) -> (rate: Vector3, force: Vector3)
    ) -> VibrationMeter {
        var meter = VibrationMeter()
        for k in 0..<Int(seconds * rate) {
            let t = Double(k) / rate
            let (turn, force) = sample(t)
            meter.add(InertialSample(time: Fixture.time(t), rate: turn, force: force))
        }
        return meter
    }

    @Test("measures the density of white noise at any rate", arguments: [50.0, 100, 1000])
    func density(rate: Double) {
        var random = Seeded(3)
        let (gyro, accelerometer) = (4e-4, 5e-3)
        let found = meter(rate: rate, seconds: 20) { _ in
            (random.vector(gyro * rate.squareRoot()), random.vector(accelerometer * rate.squareRoot()))
        }
        // A memory of one second holds 50 samples of three axes at the least: 10 % of the deviation, one sigma.
        #expect(abs(found.rateDensity.squareRoot() / gyro - 1) < 0.3)
        #expect(abs(found.forceDensity.squareRoot() / accelerometer - 1) < 0.3)
    }

    @Test("takes a body's motion for none")
    func motion() {
        let found = meter(rate: 100, seconds: 20) { t in
            (Vector3(sin(6 * t), 0, 2 * cos(9 * t)), Vector3(3 * sin(12 * t), 0, 9.8 + 4 * sin(12 * t)))
        }
        // A turn of 100 °/s twice a second weighs less than a thousandth of its size.
        #expect(found.rateDensity.squareRoot() < 1e-3)
        #expect(found.forceDensity.squareRoot() < 5e-3)
    }

    @Test("keeps the quietest moment, and calls no shaking the noise of a sensor")
    func quiet() {
        var random = Seeded(4)
        var found = meter(rate: 100, seconds: 10) { t in
            (random.vector(t < 5 ? 0.002 : 0.5), random.vector(t < 5 ? 0.02 : 5))
        }
        #expect(found.quietRateDensity.squareRoot() < 3e-4)
        #expect(found.rateDensity.squareRoot() > 0.03)
        found = meter(rate: 100, seconds: 10) { _ in (random.vector(0.5), random.vector(5)) }
        #expect(found.quietRateDensity.squareRoot() < 1.1e-3)
        #expect(found.quietForceDensity.squareRoot() < 1.1e-2)
    }
}
