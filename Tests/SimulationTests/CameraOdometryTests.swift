import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("City walk: odometry of a camera")
struct CameraOdometryTests {
    private struct Exposure {
        var time: BootTime
        var arrival: BootTime
        var pose: OdometryPose
        var truth: WalkTruth
        /// Yaw of the camera's frame against the world. Unit: radians.
        var frameYaw: Double {
            let toWorld = Rotation3.about(Vector3(1, 0, 0), by: .pi / 2)
            let frame = pose.rotationOwnFromBody * truth.rotationENUFromBody.inverse * toWorld
            let x = frame * Vector3(1, 0, 0)
            return atan2(-x.z, x.x)
        }
    }

    private func walk(
        seed: UInt64 = 1, _ camera: SensorErrors.Camera?, opening: Double = 1, inertialRate: Int = 1
    ) throws -> CityWalk {
        try makeWalk(seed: seed) {
            $0.camera = camera
            $0.openingSeconds = opening
            $0.inertialRate = inertialRate
            $0.magneticRate = 0
            $0.pressureRate = 0
        }
    }

    private func exposures(_ walk: CityWalk, seconds: Double) -> [Exposure] {
        var walk = walk
        return walk.read(seconds: seconds).compactMap { measurement in
            guard case .aid(let aid) = measurement, case .odometry(let pose) = aid.content else { return nil }
            return Exposure(time: aid.time, arrival: aid.arrival, pose: pose, truth: walk.truth(at: aid.time))
        }
    }

    private func untilLoss(_ exposures: [Exposure]) -> [Exposure] { exposures.filter { $0.pose.reset == 0 } }

    @Test("without errors it is the motion of the board, in an upright frame of its own")
    func motion() throws {
        let found = untilLoss(exposures(try walk(.exact), seconds: 60))
        #expect(found.count > 1000)
        let (first, yaw) = (found[0], found[0].frameYaw)
        for exposure in found {
            let moved = exposure.truth.positionENU - first.truth.positionENU
            // East, up and south, turned about up.
            let upright = Vector3(moved.x, moved.z, -moved.y)
            let expected = first.pose.position + Rotation3.about(Vector3(0, 1, 0), by: yaw) * upright
            // Sums of 1800 displacements.
            #expect((exposure.pose.position - expected).norm < 1e-9)
            #expect(abs(remainder(exposure.frameYaw - yaw, 2 * .pi)) < 1e-9)
            let up = exposure.pose.rotationOwnFromBody * exposure.truth.rotationENUFromBody.inverse * Vector3(0, 0, 1)
            #expect((up - Vector3(0, 1, 0)).norm < 1e-9)
        }
        #expect(first.pose.position.norm > 0.1 && abs(yaw) > 0.01, "origin and yaw are any")
    }

    @Test("30 poses a second arrive 60 to 90 ms late, in their order, among the other measurements")
    func arrival() throws {
        var walk = try walk(.typical, inertialRate: 200)
        let measurements = walk.read(seconds: 30)
        for (former, next) in zip(measurements, measurements.dropFirst()) { #expect(former.arrival <= next.arrival) }
        let aids = measurements.compactMap { if case .aid(let aid) = $0 { aid } else { nil } }
        #expect((895...900).contains(aids.count))
        for aid in aids {
            #expect(aid.source == .camera)
            #expect((0.06...0.09).contains(aid.arrival.seconds(since: aid.time)))
        }
        for (former, next) in zip(aids, aids.dropFirst()) {
            #expect(abs(next.time.seconds(since: former.time) - 1.0 / 30) < 1e-8)
        }
    }

    @Test("about every minute it loses track for some seconds, says so before, and has a new frame afterwards")
    func losses() throws {
        let found = exposures(try walk(.exact), seconds: 600)
        let frames = Dictionary(grouping: found) { $0.pose.reset }.sorted { $0.key < $1.key }.map(\.value)
        #expect((7...14).contains(frames.count) && frames.indices.allSatisfy { frames[$0][0].pose.reset == $0 })
        for (former, next) in zip(frames, frames.dropFirst()) {
            let (last, first) = (former[former.count - 1], next[0])
            #expect((3...8.1).contains(first.time.seconds(since: last.time)))
            #expect((39.9...80).contains(last.time.seconds(since: former[0].time)))
            for exposure in former {
                let isPoor = last.time.seconds(since: exposure.time) < 0.9
                let isGood = last.time.seconds(since: exposure.time) > 1
                #expect(!isPoor || exposure.pose.tracking < OdometryPose.minimumTracking)
                #expect(!isGood || exposure.pose.tracking == 1)
            }
            #expect(abs(remainder(first.frameYaw - last.frameYaw, 2 * .pi)) > 0.001)
            #expect((first.pose.position - last.pose.position).norm > 0.1)
        }
    }

    @Test("its frame turns by 0.08 °/√s, and lengths are wrong by 0.5 % and 1 cm/√m")
    func drift() throws {
        var squares = (yaw: 0.0, length: 0.0)
        let seeds: Range<UInt64> = 0..<30
        for seed in seeds {
            let found = untilLoss(exposures(try walk(seed: seed, .typical), seconds: 60))
            let (first, last) = (found[0], found[found.count - 1])
            let seconds = last.time.seconds(since: first.time)
            let turn = remainder(last.frameYaw - first.frameYaw, 2 * .pi)
            // The white noise of 0.15° is in both.
            squares.yaw += turn * turn / (0.0064 * seconds + 2 * 0.15 * 0.15) * (180 / .pi) * (180 / .pi)
            let walked = (last.truth.positionENU - first.truth.positionENU).norm
            let error = (last.pose.position - first.pose.position).norm - walked
            squares.length += error * error / (2.5e-5 * walked * walked + 1e-4 * walked + 3.2e-5)
        }
        // Mean squares of 30: √(2/30) = 26 %; three of them. The walk sways, which adds to the distance.
        let count = Double(seeds.count)
        #expect(abs(squares.yaw / count - 1) < 0.78)
        #expect((0.22...2.2).contains(squares.length / count))
    }

    @Test("the same seed gives the same poses, and a camera changes nothing of the other sensors")
    func seeds() throws {
        var (walk, again, without) = (try walk(.typical), try walk(.typical), try walk(nil))
        let measurements = walk.read(seconds: 100)
        #expect(measurements == again.read(seconds: 100))
        let others = measurements.filter { if case .aid = $0 { false } else { true } }
        #expect(others.count > 200 && without.read(seconds: 99).allSatisfy(others.contains))
    }
}
