import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Poses ahead")
struct PosePredictorTests {
    /// Poses of a body that turns and moves by formula, at 200 Hz.
    private func predictor(
        rate: (Double) -> Vector3, velocity: Vector3 = .zero, acceleration: Vector3 = .zero
    ) throws -> (PosePredictor, PoseEstimate) {
        var pose = try #require(Walk.poses(Walk(seconds: 3).measurements()).last)
        var predictor = PosePredictor()
        for step in 0...40 {
            let t = Double(step) / 200
            pose.time = Fixture.time(10 + t)
            pose.angularVelocityInBody = rate(t - 0.0025)
            pose.rotationSceneFromBody = pose.rotationSceneFromBody * Rotation3.exp(rate(t - 0.0025) / 200)
            pose.velocityInScene = velocity + acceleration * t
            pose.velocityENU = SceneFrame.rotationENUFromScene * pose.velocityInScene
            pose.rotationENUFromBody = SceneFrame.rotationENUFromScene * pose.rotationSceneFromBody
            pose.accelerationInScene = acceleration
            predictor.add(pose)
        }
        return (predictor, pose)
    }

    @Test("there is none before the first pose, and none ahead is the pose itself")
    func nothing() throws {
        #expect(PosePredictor().predict(ahead: 0.01) == nil)
        let (predictor, pose) = try predictor(rate: { _ in Vector3(1, 2, 3) })
        #expect(predictor.predict(ahead: 0)?.pose == pose)
        #expect(predictor.predict(ahead: -1)?.pose == pose)
    }

    @Test("what turns and moves steadily goes on so", arguments: [0.001, 0.02, 0.05, 0.1])
    func steady(ahead: Double) throws {
        let rate = Vector3(0.5, -2, 1)
        let velocity = Vector3(1, 0.2, -1.4)
        let (predictor, pose) = try predictor(rate: { _ in rate }, velocity: velocity)
        let later = try #require(predictor.predict(ahead: ahead)).pose
        let turn = Rotation3.exp(rate * ahead)
        #expect((later.rotationSceneFromBody.inverse * (pose.rotationSceneFromBody * turn)).log.norm < 1e-12)
        #expect((later.rotationENUFromBody.inverse * (pose.rotationENUFromBody * turn)).log.norm < 1e-12)
        #expect((later.positionInScene - pose.positionInScene - velocity * ahead).norm < 1e-12)
        #expect(abs(later.time.seconds(since: pose.time) - ahead) < 1e-9)
        let (before, after) = (try #require(pose.geodetic), try #require(later.geodetic))
        let moved = Walk.plane.pointENU(of: after) - Walk.plane.pointENU(of: before)
        #expect((moved - SceneFrame.rotationENUFromScene * (velocity * ahead)).norm < 1e-6)
        #expect(later.heading != nil && later.heading != pose.heading)
    }

    @Test("accelerations count by the share that outlasts the time ahead", arguments: [0.01, 0.02, 0.05, 0.1])
    func accelerated(ahead: Double) throws {
        let (angular, linear) = (Vector3(0, 30, 0), Vector3(2, 0, -1))
        let (predictor, pose) = try predictor(rate: { angular * $0 }, acceleration: linear)
        let later = try #require(predictor.predict(ahead: ahead)).pose
        let share = 1 - ahead / PosePredictor.limit
        let turn = angular * (0.2 * ahead + 0.5 * share * ahead * ahead)
        #expect((pose.rotationSceneFromBody.inverse * later.rotationSceneFromBody).log.distance(to: turn) < 1e-9)
        #expect((later.angularVelocityInBody - angular * (0.2 + share * ahead)).norm < 1e-9)
        let shift = pose.velocityInScene * ahead + linear * (0.5 * share * ahead * ahead)
        #expect((later.positionInScene - pose.positionInScene - shift).norm < 1e-12)
        #expect((later.velocityInScene - pose.velocityInScene - linear * (share * ahead)).norm < 1e-12)
    }

    @Test("beyond the limit the limit holds, and that is said")
    func limit() throws {
        let (predictor, _) = try predictor(rate: { _ in Vector3(1, 0, 0) })
        let farthest = try #require(predictor.predict(ahead: PosePredictor.limit))
        #expect(!farthest.isClamped)
        for ahead in [0.11, 1, .infinity] {
            let prediction = try #require(predictor.predict(ahead: ahead))
            #expect(prediction.isClamped && prediction.pose == farthest.pose)
        }
    }

    @Test("a pose from before a gap or of another scene does not contribute to the turn")
    func gap() throws {
        var (predictor, pose) = try predictor(rate: { Vector3(0, 30 * $0, 0) })
        pose.time = pose.time.shifted(by: 1_000_000_000)
        predictor.add(pose)
        let later = try #require(predictor.predict(ahead: 0.02)).pose
        #expect(later.angularVelocityInBody == pose.angularVelocityInBody)
        pose.generation += 1
        pose.time = pose.time.shifted(by: 5_000_000)
        pose.angularVelocityInBody = .zero
        predictor.add(pose)
        let still = try #require(predictor.predict(ahead: 0.02)).pose
        #expect((still.rotationSceneFromBody.inverse * pose.rotationSceneFromBody).log.norm < 1e-12)
    }

    @Test("on a walk it is nearer to what comes than a turn at constant rate", arguments: [0.01, 0.02, 0.05])
    func walk(ahead: Double) throws {
        let result = try errors(ahead: ahead, rate: 200)
        #expect(result.predicted < 0.9 * result.constantRate, "\(result)")
    }

    @Test("the accuracy grows as the errors do", arguments: [0.02, 0.05, 0.1])
    func growth(ahead: Double) throws {
        let result = try errors(ahead: ahead, rate: 200)
        // What the prediction adds is within what the accuracy has grown by, in 68 % and some.
        #expect((0.55...0.9).contains(result.yawCovered), "\(result)")
        #expect((0.55...0.9).contains(result.placeCovered), "\(result)")
    }

    /// Root mean squares, in degrees, against the pose that came, and shares within the growth of the accuracy.
    private struct Result {
        var predicted = 0.0
        var constantRate = 0.0
        var yawCovered = 0.0
        var placeCovered = 0.0
    }

    private func errors(ahead: Double, rate: Int) throws -> Result {
        var (result, count) = (Result(), 0.0)
        for seed in UInt64(1)...4 { count += try errors(seed, ahead: ahead, rate: rate, &result) }
        return Result(
            predicted: (result.predicted / count).squareRoot() * 180 / .pi,
            constantRate: (result.constantRate / count).squareRoot() * 180 / .pi,
            yawCovered: result.yawCovered / count, placeCovered: result.placeCovered / count)
    }

    private func errors(_ seed: UInt64, ahead: Double, rate: Int, _ result: inout Result) throws -> Double {
        let walk = try StreetWalk(seed: seed, seconds: 60, inertialRate: rate, simulatedRate: rate)
        let poses = StreetWalk.poses(walk.measurements)
        let steps = Int((ahead * Double(rate)).rounded())
        var predictor = PosePredictor()
        var count = 0.0
        for index in 0..<(poses.count - steps) {
            let (now, later) = (poses[index], poses[index + steps])
            predictor.add(now)
            guard now.seconds > 20 else { continue }
            let predicted = try #require(predictor.predict(ahead: ahead)).pose
            let constant = now.rotationSceneFromBody * Rotation3.exp(now.angularVelocityInBody * ahead)
            let error = (predicted.rotationSceneFromBody * later.rotationSceneFromBody.inverse).log
            let other = (constant * later.rotationSceneFromBody.inverse).log
            result.predicted += error.squaredNorm
            result.constantRate += other.squaredNorm
            let (before, after) = (walk.walk.truth(at: now.time), walk.walk.truth(at: predicted.time))
            let turn = predicted.rotationENUFromBody * now.rotationENUFromBody.inverse
            let truth = after.rotationENUFromBody * before.rotationENUFromBody.inverse
            let yaw = (turn * truth.inverse).log.z.magnitude
            if yaw <= growth(predicted.accuracy.yaw, now.accuracy.yaw) { result.yawCovered += 1 }
            let displacement = Walk.plane.pointENU(of: try #require(predicted.geodetic))
            let miss =
                displacement - Walk.plane.pointENU(of: try #require(now.geodetic)) - after.positionENU
                + before.positionENU
            let across = (miss.x * miss.x + miss.y * miss.y).squareRoot()
            if across <= growth(predicted.accuracy.horizontal, now.accuracy.horizontal) { result.placeCovered += 1 }
            count += 1
        }
        return count
    }

    private func growth(_ after: Double?, _ before: Double?) -> Double {
        guard let after, let before else { return 0 }
        return (after * after - before * before).squareRoot()
    }
}

extension Vector3 {
    fileprivate func distance(to other: Vector3) -> Double { (self - other).norm }
}
