import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Magnetic monitor")
struct MagneticMonitorTests {
    private let settings = EstimatorSettings()
    private let dip = 1.1

    /// A monitor that has seen the same field, 50 µT, for a time.
    private func monitor(seconds: Double) -> MagneticMonitor {
        let field = Vector3(0, 50 * cos(dip), -50 * sin(dip))
        var monitor = MagneticMonitor()
        var calibrator = MagneticCalibrator(
            field: field, up: Vector3(0, 0, 1), settings: settings.magneticCalibration)
        for _ in 0..<Int(seconds / 0.1) {
            calibrator.update(
                measured: field, up: Vector3(0, 0, 1), rate: .zero, span: 0.1,
                settings: settings.magneticCalibration)
        }
        monitor.calibrator = calibrator
        return monitor
    }

    /// The verdict after two seconds of a field whose dip differs from what was learned.
    private func verdict(_ monitor: MagneticMonitor, dipsMoreBy difference: Double, tilt: Double)
        -> MagneticMonitor.Verdict
    {
        var monitor = monitor
        var verdict = MagneticMonitor.Verdict.refused
        for k in 0..<20 {
            verdict = monitor.assess(
                MagneticMonitor.Shape(norm: 50, inclination: dip + difference), model: nil, iron: 0, tilt: tilt,
                rules: .alone(.free), at: Fixture.time(Double(k) * 0.1), settings: settings.magnetic)
        }
        return verdict
    }

    @Test("a field whose dip differs by 8° from the one learned counts weakly while the tilt is known well")
    func anotherField() {
        #expect(verdict(monitor(seconds: 60), dipsMoreBy: 0.14, tilt: 0.01) == .weak)
        #expect(verdict(monitor(seconds: 60), dipsMoreBy: 0.01, tilt: 0.01) == .good)
    }

    @Test("a tilt that is off may be what makes the dip differ, and the field counts in full")
    func poorTilt() {
        #expect(verdict(monitor(seconds: 60), dipsMoreBy: 0.14, tilt: 0.15) == .good)
    }

    @Test("against the model a lost tilt is to blame for another dip, and with a good one the field is")
    func tiltAgainstModel() {
        let lost = judgement(tilt: 0.15)
        #expect(lost.verdict == .good && lost.disturbance == 0)
        let good = judgement(tilt: 0.01)
        // Of 0.14 rad, spread over two directions, as far as a mean of a second has it after two.
        #expect(good.verdict == .refused && good.disturbance > 0.07)
    }

    /// After two seconds of a field whose dip differs from that of the model.
    private func judgement(tilt: Double) -> (verdict: MagneticMonitor.Verdict, disturbance: Double) {
        let (field, difference) = (Fixture.field, 0.14)
        let shape = MagneticMonitor.Shape(
            norm: field.totalIntensity / 1000, inclination: field.inclination + difference)
        var monitor = MagneticMonitor()
        var verdict = MagneticMonitor.Verdict.refused
        for k in 0..<20 {
            verdict = monitor.assess(
                shape, model: field, iron: 0, tilt: tilt, rules: .besideFixes, at: Fixture.time(Double(k) * 0.1),
                settings: settings.magnetic)
        }
        return (verdict, monitor.disturbanceVariance.squareRoot())
    }

    @Test("a dip that has been learned for a second only may be off itself")
    func newlyLearned() {
        #expect(verdict(monitor(seconds: 0.1), dipsMoreBy: 0.14, tilt: 0.01) == .good)
    }
}
