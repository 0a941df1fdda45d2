import Sound
import Geometry
import Testing

@Suite("How the beacon sounds")
struct PulseTests {
    /// Frames of ten seconds towards a target straight north, at a hundred a second.
    private static func frames(distance: Double, azimuth: Double = 1, deviation: Double = 0.02) -> [BeaconFrame] {
        var sound = BeaconSound(volume: 1)
        let target = BeaconTarget(
            id: "turn", generation: 1, position: Vector3(0, 0, -distance), directionStandardDeviation: deviation)
        return (0..<1000).map { number in
            let time = Int64(number) * 10_000_000
            let pose = BeaconPose(
                measuredAt: time, generation: 1, position: .zero,
                rotationSceneFromBody: .about(Vector3(0, 1, 0), by: azimuth), yawStandardDeviation: 0.01)
            return sound.advance(to: time, pose: pose, target: target)
        }
    }

    @Test("the nearer the target, the sooner and louder the pulses, and a far one is audible")
    func distance() {
        let distances = [2.0, 5, 20, 100, 500, 20_000]
        let counts = distances.map { Self.frames(distance: $0).filter { $0.pulse != nil }.count }
        #expect(counts.first == 34 && counts.last == 7)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 >= $1 })
        let gains = distances.map { Self.frames(distance: $0)[0].gain }
        #expect(zip(gains, gains.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(gains.last! > 0.3 * gains[0])
    }

    @Test("what the wearer looks at is quieter and has a tone of its own")
    func ahead() {
        let aside = Self.frames(distance: 50)[0]
        let ahead = Self.frames(distance: 50, azimuth: 0.1)[0]
        #expect(aside.pulse == .searching && ahead.pulse == .ahead)
        #expect(ahead.gain < 0.5 * aside.gain)
    }

    @Test("the directions of the sources have the standard deviation of the target's, from 3 degrees on")
    func spread() {
        #expect(Self.frames(distance: 50, deviation: 0.05)[0].spread == 0)
        for deviation in [0.06, 0.2, 0.5] {
            let frame = Self.frames(distance: 50, deviation: deviation)[0]
            let outer = AngularSpread.outerAmplitude * AngularSpread.outerAmplitude
            #expect(abs(AngularSpread.middleAmplitude * AngularSpread.middleAmplitude + 2 * outer - 1) < 1e-12)
            #expect(abs((2 * outer * frame.spread * frame.spread).squareRoot() - deviation) < 1e-12)
            let (middle, left, right) = AngularSpread.directions(around: frame.direction, angle: frame.spread)
            #expect(middle == frame.direction && left.x < middle.x && right.x > middle.x)
        }
    }

    @Test("the direction is exact, far from the origin too", arguments: [0.0, 5000])
    func direction(offset: Double) {
        var sound = BeaconSound(volume: 1)
        let place = Vector3(offset, 1.6, -offset)
        let pose = BeaconPose(
            measuredAt: 0, generation: 1, position: place, rotationSceneFromBody: .identity, yawStandardDeviation: 0.01)
        let target = BeaconTarget(
            id: "turn", generation: 1, position: place + Vector3(30, -10, 20), directionStandardDeviation: 0.02)
        let direction = sound.advance(to: 0, pose: pose, target: target).direction
        #expect((direction - Vector3(30, -10, 20).normalized!).norm < 1e-12)
    }

    @Test("a pulse begins and ends with silence, is never clipped, and each source has a noise of its own")
    func samples() {
        for pulse in BeaconFrame.Pulse.allCases {
            let sources = (0..<AngularSpread.sources).map { PulseSound.samples(pulse, source: $0, rate: 48_000) }
            for samples in sources {
                #expect(samples.count == 5760)
                #expect(
                    samples.prefix(10).allSatisfy { abs($0) < 100 } && samples.suffix(10).allSatisfy { abs($0) < 100 })
                #expect(samples.allSatisfy { abs($0) < 31_000 })
            }
            let products = zip(sources[0], sources[1]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            let power = sources[0].reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(products) < 0.5 * power)
        }
    }
}
