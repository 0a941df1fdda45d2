import Sound
import Geometry
import Testing

@Suite("When the beacon is silent")
struct SilenceTests {
    private static let second: Int64 = 1_000_000_000

    private static func pose(_ change: (inout BeaconPose) -> Void = { _ in }) -> BeaconPose {
        var pose = BeaconPose(
            measuredAt: second, generation: 3, position: .zero, rotationSceneFromBody: .identity,
            yawStandardDeviation: 0.02)
        change(&pose)
        return pose
    }

    private static func target(_ change: (inout BeaconTarget) -> Void = { _ in }) -> BeaconTarget {
        var target = BeaconTarget(
            id: "anchor/bench", generation: 3, position: Vector3(0, 0, -20), directionStandardDeviation: 0.05,
            arrivalRadius: 5)
        change(&target)
        return target
    }

    @Test("it sounds only with a fresh pose, a known position, a confirmed heading and a target of the same generation")
    func reasons() {
        func reason(
            _ pose: BeaconPose?, _ target: BeaconTarget?, after: Int64 = 20_000_000, ended: Silence? = nil
        ) -> Silence? {
            var sound = BeaconSound(volume: 1)
            let frame = sound.advance(to: Self.second + after, pose: pose, target: target, ended: ended)
            #expect((frame.silence == nil) == (frame.gain > 0 && frame.pulse != nil))
            return frame.silence
        }
        #expect(reason(Self.pose(), Self.target()) == nil)
        #expect(reason(nil, Self.target()) == .noDaemon)
        #expect(reason(Self.pose(), Self.target(), after: 101_000_000) == .stalePose)
        #expect(reason(Self.pose(), Self.target(), after: 100_000_000) == nil)
        #expect(reason(Self.pose(), nil) == .noTarget)
        #expect(reason(Self.pose(), Self.target(), ended: .arrived) == .arrived)
        #expect(reason(Self.pose { $0.generation = 4 }, Self.target()) == .otherGeneration)
        #expect(reason(Self.pose { $0.isPositionKnown = false }, Self.target()) == .positionUnknown)
        #expect(reason(Self.pose { $0.isHeadingConfirmed = false }, Self.target()) == .headingUnconfirmed)
        #expect(reason(Self.pose { $0.yawStandardDeviation = nil }, Self.target()) == .headingUnconfirmed)
        #expect(reason(Self.pose(), Self.target { $0.directionStandardDeviation = nil }) == .headingUnconfirmed)
        #expect(reason(Self.pose(), Self.target { $0.directionStandardDeviation = 0.8 }) == .directionUncertain)
        #expect(reason(Self.pose { $0.yawStandardDeviation = 0.8 }, Self.target()) == .directionUncertain)
    }

    @Test("a pause silences at once, and its end lets it sound")
    func pause() {
        var sound = BeaconSound(volume: 1)
        #expect(sound.advance(to: Self.second, pose: Self.pose(), target: Self.target()).silence == nil)
        sound.isPaused = true
        #expect(sound.advance(to: Self.second + 1, pose: Self.pose(), target: Self.target()).silence == .paused)
        sound.isPaused = false
        #expect(sound.advance(to: Self.second + 2, pose: Self.pose(), target: Self.target()).silence == nil)
    }

    @Test("an uncertainty about the bound does not switch it on and off")
    func uncertaintyHysteresis() {
        var sound = BeaconSound(volume: 1)
        let reasons = [30.0, 39, 41, 39, 31, 29, 39].map { degrees in
            sound.advance(
                to: Self.second, pose: Self.pose(),
                target: Self.target { $0.directionStandardDeviation = degrees * .pi / 180 }
            ).silence
        }
        #expect(reasons == [nil, nil, .directionUncertain, .directionUncertain, .directionUncertain, nil, nil])
    }

    @Test("it is silent from 5 m to a place on, whatever the heights, and sounds again from 8 m on")
    func arrival() {
        var sound = BeaconSound(volume: 1)
        let reasons = [6.0, 4.9, 6, 7.9, 8.1, 6].map { distance in
            sound.advance(
                to: Self.second, pose: Self.pose { $0.position = Vector3(0, 30, distance - 20) }, target: Self.target()
            ).silence
        }
        #expect(reasons == [nil, .arrived, .arrived, .arrived, nil, nil])
    }
}
