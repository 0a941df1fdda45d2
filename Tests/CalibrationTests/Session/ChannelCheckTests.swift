import Calibration
import Geometry
import Simulation
import Testing

@Suite("Channels that cannot be calibrated")
struct ChannelCheckTests {
    /// Three axes of noise on a slow swing, in steps of a converter, with something done to them.
    private static func check(
        _ count: Int = 2000, noise: Double = 3, swing: Double = 0, step: Double = 1, seed: UInt64 = 1,
        _ change: (Int, inout Vector3) -> Void = { _, _ in }
    ) -> CalibrationVerdict? {
        var random = RandomSource(seed: seed)
        var check = ChannelCheck()
        func axis(_ index: Int, _ phase: Double) -> Double {
            let turned = (Double(index) / 400 + phase).truncatingRemainder(dividingBy: 2)
            let swung = swing * (1 - 2 * (turned - 1).magnitude)
            return ((swung + noise * random.normal()) / step).rounded() * step
        }
        for index in 0..<count {
            var value = Vector3(axis(index, 0), axis(index, 0.7), axis(index, 1.3))
            change(index, &value)
            check.add(value)
        }
        return check.problem(sensor: "gyroscope")
    }

    @Test(
        "noise is well, whatever the steps of the converter",
        arguments: [0.3, 0.5, 1, 2, 10, 1000], [0.0, 50, 10_000])
    func well(noise: Double, swing: Double) {
        for seed in 1...5 as ClosedRange<UInt64> {
            #expect(Self.check(noise: noise, swing: swing, seed: seed) == nil)
            #expect(Self.check(noise: noise, swing: swing, step: 1e-3, seed: seed) == nil)
        }
    }

    @Test("six rests of a converter coarser than its noise are well")
    func coarseRests() {
        let rests = [Vector3(64, 0, 1), Vector3(-63, 1, 0), Vector3(0, 64, 0), Vector3(1, -64, 2), Vector3(2, 0, 65)]
        var check = ChannelCheck()
        var random = RandomSource(seed: 4)
        for rest in rests + [Vector3(0, 1, -62)] {
            for _ in 0..<40 {
                let move = Vector3(random.normal(), random.normal(), random.normal()) * 20
                check.add(Vector3(move.x.rounded(), move.y.rounded(), move.z.rounded()))
            }
            for _ in 0..<500 { check.add(rest) }
        }
        #expect(check.problem(sensor: "accelerometer") == nil)
    }

    @Test("a clipped channel is named with its end", arguments: [0, 1, 2], [-1.0, 1])
    func saturated(axis: Int, sign: Double) {
        let end = 300.0
        let verdict = Self.check(noise: 2, swing: 500) { _, value in
            func clipped(_ number: Double) -> Double { sign * min(sign * number, end) }
            switch axis {
            case 0: value.x = clipped(value.x)
            case 1: value.y = clipped(value.y)
            default: value.z = clipped(value.z)
            }
        }
        #expect(verdict?.refusal == .saturated)
        #expect(verdict?.reason.contains("gyroscope's \(["x", "y", "z"][axis]) axis") == true)
        #expect(verdict?.reason.contains(sign < 0 ? "-300" : "300") == true)
    }

    @Test("a quick turn that clips for a tenth of a second is found")
    func shortClip() {
        let verdict = Self.check(4000) { index, value in
            if (2000..<2020).contains(index) { value.z = 32_767 }
        }
        #expect(verdict?.refusal == .saturated)
        #expect(verdict?.reason.contains("32767") == true)
    }

    @Test("a dead channel is named, and a sensor that is dead as a whole")
    func constant() {
        let one = Self.check { _, value in value.y = 17 }
        #expect(one?.refusal == .constantChannel)
        #expect(one?.reason.contains("y axis never changed from 17") == true)
        let two = Self.check { _, value in (value.x, value.z) = (0, -4) }
        #expect(two?.reason.contains("x and z axes") == true)
        let all = Self.check { _, value in value = Vector3(1, 2, 3) }
        #expect(all?.refusal == .constantChannel)
        #expect(all?.reason.contains("not measuring") == true)
    }

    @Test("a channel that sticks half-way is named, also after it came back")
    func stuck() {
        let toTheEnd = Self.check { index, value in if index > 1000 { value.x = 2 } }
        #expect(toTheEnd?.refusal == .constantChannel)
        #expect(toTheEnd?.reason.contains("x axis was stuck at 2 for 999 of 2000") == true)
        let between = Self.check { index, value in if (300..<1000).contains(index) { value.z = -1 } }
        #expect(between?.refusal == .constantChannel)
    }

    @Test("what is not a number is named before all else", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        let verdict = Self.check { index, value in
            value.x = 5
            if index % 500 == 7 { value.z = number }
        }
        #expect(verdict?.refusal == .notFinite)
        #expect(verdict?.reason.hasPrefix("4 of 2000 samples of the gyroscope's z axis are not finite numbers") == true)
    }

    @Test("nothing, little and the largest numbers are no problem")
    func ends() {
        #expect(ChannelCheck().problem(sensor: "gyroscope") == nil)
        #expect(Self.check(3) == nil)
        var check = ChannelCheck()
        for index in 0..<100 {
            let large = Double.greatestFiniteMagnitude * (index % 2 == 0 ? 1 : -1)
            check.add(Vector3(large, -large, large / Double(index + 1)))
        }
        #expect(check.problem(sensor: "gyroscope") == nil)
    }
}
