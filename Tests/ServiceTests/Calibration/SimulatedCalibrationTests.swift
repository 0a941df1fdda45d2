import Calibration
import Geometry
import Model
import Service
import Simulation
import Testing

@Suite("Calibrations of the simulated board")
struct SimulatedCalibrationTests {
    /// A calibration as the daemon runs it, in the middle of a walk.
    ///
    /// - Parameter seconds: time after which it is ended.
    private func calibrate(
        _ kind: CalibrationKind, seed: UInt64, seconds: Double, watch: (CalibrationProgress) -> Void = { _ in }
    ) throws -> (result: CalibrationResult, seconds: Double) {
        let settings = CityWalkSettings(seed: seed)
        var walk = try #require(
            CityWalk(
                settings: settings, start: BootTime(nanoseconds: 1_000_000_000),
                magneticModel: WorldMagneticModel.wmm2025))
        let begin = 30 + 7 * Double(seed)
        var session = kind.session(
            CalibrationSettings(gravity: 9.8072, fieldStrength: walk.magneticFieldENU.norm))
        var hasBegun = false
        var nextLook = begin
        var now = 0.0
        while now < begin + seconds, !session.isComplete {
            let measurement = walk.next()
            now = measurement.arrival.seconds(since: BootTime(nanoseconds: 1_000_000_000))
            guard now >= begin else { continue }
            if !hasBegun {
                walk.handle(HandlingRequest(kind))
                hasBegun = true
            }
            session.feed(measurement)
            guard now >= nextLook else { continue }
            nextLook += 0.1
            let progress = session.progress
            watch(progress)
            walk.handle(HandlingRequest(kind, progress))
        }
        return (session.result(), now - begin)
    }

    @Test(
        "each kind finds what there is to find, and ends by itself as soon as a person's would", arguments: [1, 2, 3],
        [
            (CalibrationKind.gyroscope, 40), (.accelerometer, 60), (.magnetometer, 75), (.mount, 100),
        ])
    func accepted(seed: UInt64, kind: (kind: CalibrationKind, seconds: Double)) throws {
        let (result, seconds) = try calibrate(kind.kind, seed: seed, seconds: 120)
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect(seconds < kind.seconds, "\(seconds) s")
    }

    @Test("noise is measured over the seconds that are asked for")
    func noise() throws {
        let (result, _) = try calibrate(.noise, seed: 1, seconds: 75)
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
    }

    @Test("a pose that is asked for is the next one")
    func followed() throws {
        var asked: [Vector3] = []
        var taken: [Vector3] = []
        _ = try calibrate(.accelerometer, seed: 2, seconds: 40) { progress in
            if progress.poses.count > taken.count { taken = progress.poses }
            if progress.instruction == .turnToNextPose, asked.count < progress.poses.count, let up = progress.missing {
                asked.append(up)
            }
        }
        #expect(asked.count > 5)
        for (up, pose) in zip(asked, taken.dropFirst()) { #expect((up - pose).norm < 0.05) }
    }

    @Test("covered directions remain covered, and none is before the centre of the fields is known")
    func coverage() throws {
        var before = SphereCoverage()
        _ = try calibrate(.magnetometer, seed: 1, seconds: 60) { progress in
            guard let coverage = progress.coverage else { return }
            for region in 0..<SphereCoverage.regions where before.contains(region: region) {
                #expect(coverage.contains(region: region))
            }
            #expect((coverage.count > 0) == (progress.direction != nil))
            before = coverage
        }
        #expect(before.count > 60)
    }
}
