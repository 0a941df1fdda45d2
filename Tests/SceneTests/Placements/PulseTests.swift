import Model
import Scene
import Testing

@Suite("Pulse")
struct PulseTests {
    let epoch = BootTime(nanoseconds: 5_250_000_000)
    var pulse: Pulse { Pulse(epoch: epoch, settings: SceneSettings.Placements()) }

    private func after(_ nanoseconds: Int64) -> BootTime { BootTime(nanoseconds: epoch.nanoseconds + nanoseconds) }

    @Test("behaviour 21: from 1 to opacity 0.1 and scale 1.2 and back in a second")
    func wave() {
        #expect(pulse.opacity(at: epoch) == 1 && pulse.scale(at: epoch) == 1)
        #expect(abs(pulse.opacity(at: after(500_000_000)) - 0.1) < 1e-12)
        #expect(abs(pulse.scale(at: after(500_000_000)) - 1.2) < 1e-12)
        // Halfway at a quarter: sin²(π/4) = ½.
        #expect(abs(pulse.opacity(at: after(250_000_000)) - 0.55) < 1e-12)
        #expect(abs(pulse.scale(at: after(750_000_000)) - 1.1) < 1e-12)
        #expect(pulse.opacity(at: after(1_000_000_000)) == 1)
    }

    @Test("behaviour 21: renderers that draw at other times see the same wave, also after a year")
    func agreement() {
        var draws = Draws(state: 21)
        for _ in 0..<1000 {
            let inPeriod = Int64.random(in: 0..<1_000_000_000, using: &draws)
            let periods = Int64.random(in: -31_536_000...31_536_000, using: &draws)
            #expect(pulse.phase(at: after(inPeriod)) == Double(inPeriod) / 1e9)
            #expect(pulse.phase(at: after(inPeriod + periods * 1_000_000_000)) == Double(inPeriod) / 1e9)
        }
    }

    @Test("no frame differs from the next by more than the slope of the wave")
    func continuous() {
        var before = pulse
        var last = before.opacity(at: epoch)
        before.period = 1
        for step in 1...600 {
            let now = before.opacity(at: after(Int64(step) * 16_666_667))
            // The steepest of sin²(πφ) is π, of 0.9, in 1/60 s.
            #expect(abs(now - last) < Double.pi * 0.9 / 60 * 1.001)
            last = now
        }
    }

    @Test("without a period it rests", arguments: [0.0, -1, 1e-12, .infinity, .nan])
    func atRest(period: Double) {
        var pulse = pulse
        pulse.period = period
        #expect(pulse.phase(at: after(123_456)) == 0)
        #expect(pulse.opacity(at: after(123_456)) == 1)
    }
}
