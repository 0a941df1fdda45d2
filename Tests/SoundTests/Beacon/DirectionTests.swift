import Sound
import Geometry
import Glibc
import Testing

/// One context of OpenAL is current in a process.
@Suite("Sound at the ears", .serialized)
struct DirectionTests {
    /// Unit: nanoseconds, frames.
    private static let tick: Int64 = 10_000_000
    private static let framesOfTick = 480

    private struct Heard {
        let pulse: BeaconFrame.Pulse
        /// True azimuth in the middle of its loud part, clockwise from where the wearer looks. Unit: radians.
        let azimuth: Double
        let cues: EarDecoder.Cues
    }

    private static func target(_ position: Vector3, deviation: Double = 0.02, generation: Int = 1) -> BeaconTarget {
        BeaconTarget(id: "turn", generation: generation, position: position, directionStandardDeviation: deviation)
    }

    /// Azimuth of a place in the wearer's own axes.
    private static func azimuth(_ pose: BeaconPose, _ place: Vector3) -> Double {
        let displacement = pose.rotationSceneFromBody.inverse * (place - pose.position)
        return atan2(displacement.x, -displacement.z)
    }

    /// Pulses of a walk as the ears have them.
    private static func walk(
        _ output: SoundOutput, seconds: Int, target: BeaconTarget, pose: (Int64) -> BeaconPose
    ) -> [Heard] {
        var sound = BeaconSound(volume: 1)
        var samples: [Float] = []
        var begun: [(pulse: BeaconFrame.Pulse, at: Int)] = []
        for number in 0..<(100 * seconds) {
            let time = Int64(number) * tick
            let frame = sound.advance(to: time, pose: pose(time), target: target)
            if let pulse = frame.pulse { begun.append((pulse, number)) }
            output.play(frame)
            samples += output.frames(framesOfTick)
        }
        return begun.filter { 2 * ($0.at * framesOfTick + EarDecoder.window) <= samples.count }.map { pulse, number in
            Heard(
                pulse: pulse, azimuth: azimuth(pose(Int64(number + 2) * tick), target.position),
                cues: EarDecoder.cues(samples[(2 * number * framesOfTick)...]))
        }
    }

    @Test("the direction at the ears is the target's to 5 degrees all around while the head turns, front or back")
    func direction() throws {
        let output = try SoundOutput(.memory)
        try #require(output.hasHRTF)
        let decoder = EarDecoder(output)
        var errors: [Double] = []
        var quarters = Set<Int>()
        for seed in UInt64(1)...4 {
            let walk = HeadWalk(seed: seed)
            for heard in Self.walk(
                output, seconds: 12, target: Self.target(Vector3(12, 1.6, -7)), pose: { walk.pose(at: $0) })
            {
                let found = decoder.azimuth(heard.cues, heard.pulse)
                let off = Angle.wrapped(found - heard.azimuth) * 180 / .pi
                errors.append(abs(off))
                quarters.insert(Int((heard.azimuth + .pi) / (.pi / 2)))
            }
        }
        let sorted = errors.sorted()
        #expect(errors.count > 60 && quarters.count >= 4)
        // What the decoder itself has of this, and the turn of the head within a pulse, are about 2 degrees.
        #expect(sorted.last! <= 5, "median \(sorted[sorted.count / 2])")
    }

    /// First pulse of a target that is this far to the right, and known this well. Unit: degrees.
    private static func pulse(_ output: SoundOutput, azimuth: Double, deviation: Double) -> ArraySlice<Float> {
        let middle = EarDecoder.direction(azimuth: azimuth * .pi / 180, elevation: 0)
        let pose = BeaconPose(
            measuredAt: 0, generation: 1, position: .zero, rotationSceneFromBody: .identity, yawStandardDeviation: 0.01)
        var sound = BeaconSound(volume: 1)
        output.play(sound.advance(to: 0, pose: pose, target: target(middle * 20, deviation: deviation * .pi / 180)))
        return output.frames(6144)[...]
    }

    @Test("the less certain the direction, the wider it sounds, about the same middle")
    func blur() throws {
        let output = try SoundOutput(.memory)
        // What is ahead has less noise, and at the sides the delays between the ears end.
        let azimuths = [-60.0, -45, -30, -15, 15, 30, 45, 60]
        let heard = [2.0, 10, 30].map { deviation in
            azimuths.map { Self.pulse(output, azimuth: $0, deviation: deviation) }
        }
        let widths = heard.map { $0.map { EarDecoder.width($0) }.reduce(0, +) / Double(azimuths.count) }
        #expect(zip(widths, widths.dropFirst()).allSatisfy { $1 > 1.1 * $0 }, "\(widths)")
        let delays = heard.map { $0.map { EarDecoder.cues($0).delay } }
        // Of the delay between the ears, in samples: one is 3 degrees.
        let shifts = delays.map { zip($0, delays[0]).map { $0 - $1 }.reduce(0, +) / Double(azimuths.count) }
        #expect(shifts.allSatisfy { abs($0) < 1 }, "\(shifts)")
    }

    @Test("at full volume it is clipped from no direction, and loud from each")
    func level() throws {
        let output = try SoundOutput(.memory)
        let loudest = stride(from: -180.0, to: 180, by: 10).map { azimuth -> Float in
            var frame = BeaconFrame()
            // In turn at the horizon, above and below it.
            let elevation = Double((Int(azimuth / 10) + 18) % 3 - 1) * .pi / 6
            frame.direction = EarDecoder.direction(azimuth: azimuth * .pi / 180, elevation: elevation)
            frame.gain = 1
            frame.pulse = .searching
            output.play(frame)
            return output.frames(6144).map(abs).max()!
        }
        #expect(loudest.allSatisfy { $0 > 0.1 && $0 < 0.95 }, "\(loudest)")
    }

    @Test("nothing sounds while the heading is unconfirmed, and what sounded ends within 50 ms")
    func silence() throws {
        let output = try SoundOutput(.memory)
        var sound = BeaconSound(volume: 1)
        let walk = HeadWalk(seed: 9)
        var loudest: [Float] = []
        for number in 0..<200 {
            var pose = walk.pose(at: Int64(number) * Self.tick)
            // The last half a second after a pulse, in the middle of which it becomes unconfirmed.
            pose.isHeadingConfirmed = number < 102
            output.play(
                sound.advance(to: Int64(number) * Self.tick, pose: pose, target: Self.target(Vector3(12, 1.6, -7))))
            loudest.append(output.frames(Self.framesOfTick).map(abs).max()!)
        }
        #expect(loudest[..<102].max()! > 0.01)
        #expect(loudest[107...].max()! == 0)
    }
}
