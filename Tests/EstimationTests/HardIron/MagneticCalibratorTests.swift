import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Testing

@Suite("Magnetic calibrator")
struct MagneticCalibratorTests {
    private let settings = EstimatorSettings.MagneticCalibration()
    /// Frame: ENU. Unit: microtesla.
    private let field = Vector3(0, 20, -43)
    private let up = Vector3(0, 0, 1)

    /// Attitude of a board that rotates about all axes. Unit of time: seconds.
    private func attitude(_ t: Double) -> Rotation3 {
        Rotation3.aboutZ(0.5 * t) * Rotation3.exp(Vector3(0.9 * sin(0.8 * t), 0.8 * sin(1.1 * t), 0))
    }

    /// Unit: rad/s.
    private func rate(_ t: Double) -> Vector3 {
        (attitude(t - 0.001).inverse * attitude(t + 0.001)).log / 0.002
    }

    /// Turns the board for a while in front of what `measure` yields, at 20 Hz.
    private func calibrated(
        seconds: Double, from start: Double = 0, _ earlier: MagneticCalibrator? = nil,
        _ measure: (_ time: Double, _ delay: Double) -> Vector3
    ) -> MagneticCalibrator {
        var calibrator =
            earlier
            ?? MagneticCalibrator(field: measure(start, 0), up: attitude(start).inverse * up, settings: settings)
        for k in 1...Int(seconds * 20) {
            let t = start + Double(k) / 20
            calibrator.update(
                measured: measure(t, calibrator.delay), up: attitude(t).inverse * up, rate: rate(t), span: 0.05,
                settings: settings)
        }
        return calibrator
    }

    @Test("norm and upward part have the derivatives that it uses", arguments: UInt64(1)...10)
    func jacobian(seed: UInt64) {
        var random = Seeded(seed)
        let measured = random.vector(40)
        let rate = random.vector(2)
        let up = random.rotation() * self.up
        var calibrator = MagneticCalibrator(field: measured + random.vector(3), up: up, settings: settings)
        let h = calibrator.model(measured: measured, up: up, rate: rate).jacobian
        for k in 0..<3 {
            let step = Vector3(k == 0 ? 1e-4 : 0, k == 1 ? 1e-4 : 0, k == 2 ? 1e-4 : 0)
            let before = calibrator.model(measured: measured, up: up, rate: rate).innovation
            calibrator.hardIron += step
            let after = calibrator.model(measured: measured, up: up, rate: rate).innovation
            // An innovation falls as the state rises towards the truth.
            for i in 0..<2 { #expect(abs((before[i, 0] - after[i, 0]) / 1e-4 - h[i, k]) < 1e-4) }
        }
        // A field that is older by 0.1 ms was turned by that much less.
        let found = measured - calibrator.hardIron
        let late = Rotation3.exp(rate * 1e-4) * found + calibrator.hardIron
        let r = calibrator.model(measured: late, up: up, rate: rate).innovation
        let r0 = calibrator.model(measured: measured, up: up, rate: rate).innovation
        #expect(abs((r[1, 0] - r0[1, 0]) / 1e-4 - h[1, 5]) < 0.05 * max(1, abs(h[1, 5])))
        #expect(abs(r[0, 0] - r0[0, 0]) < 1e-9)
    }

    @Test("a magnet on the board is learned while it turns", arguments: [8.0, 20, 60])
    func attached(size: Double) {
        let iron = Vector3(0.48, -0.6, 0.64) * size
        let calm = calibrated(seconds: 20) { t, _ in attitude(t).inverse * field }
        #expect(calm.hardIron.norm < 0.2)
        let calibrator = calibrated(seconds: 60, from: 20, calm) { t, _ in attitude(t).inverse * field + iron }
        #expect((calibrator.hardIron - iron).norm < 0.1 * size + 0.3)
        #expect(abs(calibrator.strength / field.norm - 1) < 0.05)
    }

    @Test("a field that stays with the place does not become hard iron")
    func place() {
        let calm = calibrated(seconds: 30) { t, _ in attitude(t).inverse * field }
        let other = Vector3(4, 24, -40)
        let calibrator = calibrated(seconds: 60, from: 30, calm) { t, _ in attitude(t).inverse * other }
        #expect(calibrator.hardIron.norm < 0.5)
        #expect(abs(calibrator.strength / other.norm - 1) < 0.02)
        #expect(abs(calibrator.upward - other.z) < 1)
    }

    @Test("the delay of the magnetometer is found in fast turns", arguments: [0.0, 0.008, 0.016])
    func delay(seconds: Double) {
        // The same turns in an eighth of the time.
        func swift(_ t: Double) -> Rotation3 { attitude(8 * t) }
        var calibrator = MagneticCalibrator(field: field, up: up, settings: settings)
        for k in 1...1200 {
            let t = Double(k) / 20
            let rate = 8 * rate(8 * t)
            // As measured, then turned on by the delay that is known already.
            let measured = Rotation3.exp(rate * -calibrator.delay) * (swift(t - seconds).inverse * field)
            calibrator.update(measured: measured, up: swift(t).inverse * up, rate: rate, span: 0.05, settings: settings)
        }
        #expect(abs(calibrator.delay - seconds) < 0.004)
        #expect(calibrator.hardIron.norm < 1)
    }

    @Test("without turns it claims to know nothing")
    func still() {
        var calibrator = MagneticCalibrator(field: field, up: up, settings: settings)
        for _ in 0..<1200 {
            calibrator.update(measured: field, up: up, rate: .zero, span: 0.05, settings: settings)
        }
        let first = settings.hardIronStandardDeviation * field.norm
        // What lies across the field leaves no trace.
        #expect(calibrator.hardIronCovariance[0, 0] >= first * first)
        #expect(calibrator.hardIron.norm < 1e-6)
    }
}
