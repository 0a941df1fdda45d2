import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Testing

@Suite("Published motion")
struct PublishedMotionTests {
    @Test("every pose has a motion with a probability, the prior at first")
    func everyPose() throws {
        let poses = Walk.poses(Walk(seconds: 20).measurements())
        #expect(try #require(poses.first).motion == MotionEstimate(kind: .atRest, probability: 0.5))
        for pose in poses {
            let motion = try #require(pose.motion)
            // The likeliest of three.
            #expect((1.0 / 3...1).contains(motion.probability))
        }
    }

    @Test("a wearer who stands and then walks is at rest and then on foot")
    func walk() throws {
        let walk = GaitFixture.walk()
        let poses = Walk.poses(GaitFixture.measurements(walk, seconds: 30), EstimatorSettings())
        let standing = poses.filter { (4...GaitFixture.opening).contains($0.seconds) }
        #expect(standing.count > 300)
        #expect(standing.allSatisfy { $0.motion?.kind == .atRest })
        let walking = poses.filter {
            $0.seconds > 15 && GaitFixture.isSteady(walk, from: $0.seconds - 7, to: $0.seconds)
        }
        #expect(walking.count > 300)
        // Steps and fixes of several seconds agree.
        for pose in walking {
            let motion = try #require(pose.motion)
            #expect(motion.kind == .onFoot && motion.probability > 0.9)
        }
    }

    @Test("a drive is one while it goes, and still when it has just stopped")
    func drive() throws {
        var drive = Drive(seconds: 90)
        drive.speed = { 15 * min(1, max(0, ($0 - 20) / 10)) * min(1, max(0, (80 - $0) / 5)) }
        let poses = Walk.poses(drive.journey().measurements)
        let resting = try #require(poses.last { $0.seconds < 20 }?.motion)
        #expect(resting.kind == .atRest && resting.probability > 0.9)
        for second in [35.0, 75, 86] {
            let motion = try #require(poses.first { $0.seconds >= second }?.motion)
            #expect(motion.kind == .riding, "after \(second) s")
        }
    }

    @Test("while the sensors are silent there is no motion, and it is back with the first sample")
    func silence() throws {
        var odometry = Walk.odometry()
        for measurement in Walk(seconds: 10).measurements() { odometry.feed(measurement) { _ in } }
        var held: [PoseEstimate] = []
        for tenth in 100...112 {
            odometry.feed(.clock(Fixture.time(Double(tenth) / 10))) { if let pose = $0.pose { held.append(pose) } }
        }
        #expect(!held.isEmpty && held.allSatisfy { $0.motion == nil })
        var next: PoseEstimate?
        for measurement in Walk(seconds: 12).measurements() where measurement.time > Fixture.time(11.3) {
            odometry.feed(measurement) { next = next ?? $0.pose }
        }
        #expect(try #require(next).motion != nil)
    }

    @Test("a pose that is predicted has the motion of the newest")
    func predicted() throws {
        var predictor = PosePredictor()
        let poses = Walk.poses(Walk(seconds: 5).measurements())
        for pose in poses { predictor.add(pose) }
        let ahead = try #require(predictor.predict(ahead: 0.05)).pose
        #expect(ahead.motion != nil && ahead.motion == poses.last?.motion)
    }
}
