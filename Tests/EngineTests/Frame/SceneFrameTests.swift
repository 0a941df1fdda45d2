import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Scene frame")
struct SceneFrameTests {
    private struct Run {
        var poses: [PoseEstimate] = []
        var frames: [FrameEstimate] = []
    }

    private func run(_ measurements: [Measurement]) -> Run {
        var odometry = Walk.odometry()
        var result = Run()
        for measurement in measurements {
            odometry.feed(measurement) { events in
                if let pose = events.pose { result.poses.append(pose) }
                if let frame = events.frame { result.frames.append(frame) }
            }
        }
        return result
    }

    /// Nothing between two steps beyond what the body moved, and its turn without the vertical's slow blending.
    private func expectSmooth(_ poses: [PoseEstimate], _ walk: Walk) {
        var worstStep = 0.0
        var worstTurn = 0.0
        let settled = zip(poses, poses.dropFirst()).filter { $0.0.state != .initializing }
        #expect(settled.count > 3500)
        for (a, b) in settled {
            let interval = b.time.seconds(since: a.time)
            worstStep = max(worstStep, (b.positionInScene - a.positionInScene).norm - 4 * interval)
            let published = (a.rotationSceneFromBody.inverse * b.rotationSceneFromBody).log
            let turned =
                (walk.truth(a.seconds).rotationENUFromBody.inverse * walk.truth(b.seconds).rotationENUFromBody).log
            worstTurn = max(worstTurn, (published - turned).norm)
        }
        // Twice the walk's own speed is allowed, but no jump; noise and bias turn a step by less than 0.1 mrad.
        #expect(worstStep == 0)
        #expect(worstTurn < 0.002)
    }

    @Test("a fix that is 50 m wrong does not move the scene")
    func wrongFix() throws {
        let walk = Walk(seconds: 40)
        var measurements = walk.measurements()
        for (index, measurement) in measurements.enumerated() {
            guard case .fix(var fix) = measurement, fix.epoch > Fixture.time(20) else { continue }
            let wrong = Walk.plane.pointENU(of: fix.position) + Vector3(50, 0, 0)
            fix.position = try #require(Walk.plane.position(ofENU: wrong))
            measurements[index] = .fix(fix)
            break
        }
        let result = run(measurements)
        expectSmooth(result.poses, walk)
        // The soft gate bounds what one outlier may do to the estimate itself.
        var worst = 0.0
        let late = result.poses.filter { $0.seconds > 20 }
        #expect(late.count > 1900)
        for pose in late {
            let point = Walk.plane.pointENU(of: try #require(pose.geodetic))
            worst = max(worst, (point - walk.truth(pose.seconds).position).norm)
        }
        #expect(worst < 8)
    }

    @Test("a correction of the yaw goes into the alignment, slowly")
    func yawCorrection() throws {
        // The compass is 20° wrong at first, so the satellites correct the yaw by as much.
        let walk = Walk(seconds: 60)
        let measurements: [Measurement] = walk.measurements().compactMap {
            guard case .magneticField(var sample) = $0 else { return $0 }
            guard sample.time < Fixture.time(3) else { return nil }
            let now = walk.truth(sample.time.seconds(since: Fixture.start)).rotationENUFromBody
            sample.field = now.inverse * (Rotation3.aboutZ(0.35) * (now * sample.field))
            return .magneticField(sample)
        }
        let result = run(measurements)
        expectSmooth(result.poses, walk)
        let yaws = result.frames.map(\.target.yaw)
        #expect(try #require(yaws.max()) - (try #require(yaws.min())) > 0.15)
        let settings = PublicationSettings.Scene()
        let settled = result.frames.filter { $0.origin != nil }
        // A frame is announced every 0.1 s or later; the body turns at most at 0.8 rad/s here.
        let limit = (settings.slewRate + settings.slewShareOfTurning * 0.9) * 0.13
        let pairs = zip(settled, settled.dropFirst()).filter { a, b in a.generation == b.generation }
        #expect(pairs.count > 20)
        for (a, b) in pairs {
            #expect(Angle.wrapped(b.published.yaw - a.published.yaw).magnitude < max(limit, 0.05))
        }
    }

    @Test("a heading that is doubted beside fixes, and then confirmed, is announced with its accuracy each time")
    func confirmation() throws {
        let frames = run(Walk(seconds: 20, pace: 2).measurements()).frames.filter { $0.origin != nil }
        let accuracies = try frames.map { try #require($0.yawAccuracy) }
        let doubted = try #require(accuracies.firstIndex { $0 > 1 })
        let confirmed = try #require(accuracies.lastIndex { $0 > 1 }) + 1
        #expect(confirmed < accuracies.count, "announced as good as it is")
        #expect(accuracies[doubted..<confirmed].allSatisfy { $0 > 1 })
        #expect(accuracies[confirmed...].allSatisfy { $0 < 0.26 })
    }

    @Test("stays level with gravity")
    func level() {
        let walk = Walk(seconds: 90)
        var worst = 0.0
        let poses = run(walk.measurements()).poses.filter { $0.seconds > 50 }
        #expect(poses.count > 3900)
        for pose in poses {
            let up = walk.truth(pose.seconds).rotationENUFromBody.inverse * Vector3(0, 0, 1)
            worst = max(worst, (pose.rotationSceneFromBody * up - Vector3(0, 1, 0)).norm)
        }
        // The accelerometer's bias of 0.02 m/s² alone is 0.002 rad; the filter separates it from the tilt slowly.
        #expect(worst < 0.01)
    }

    @Test("the alignment leads from the scene's pose to the filter's")
    func alignment() throws {
        var odometry = Walk.odometry()
        var last: (PoseEstimate, FrameEstimate)?
        for measurement in Walk(seconds: 30).measurements() {
            odometry.feed(measurement) { if let p = $0.pose, let f = $0.frame { last = (p, f) } }
        }
        let (pose, frame) = try #require(last)
        let turn = Rotation3.aboutZ(frame.target.yaw) * SceneFrame.rotationENUFromScene
        let point = turn * pose.positionInScene + frame.target.translation
        let plane = LocalTangentPlane(origin: try #require(frame.origin))
        #expect((point - plane.pointENU(of: try #require(pose.geodetic))).norm < 1e-6)
        #expect((turn * pose.rotationSceneFromBody * pose.rotationENUFromBody.inverse).log.norm < 0.01)
        #expect((turn * pose.velocityInScene - (try #require(pose.velocityENU))).norm < 1e-9)
    }
}
