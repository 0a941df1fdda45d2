import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("Accuracy of velocities")
struct MotionAccuracyTests {
    /// Shares of the poses whose error is within the accuracy.
    private struct Coverage {
        var count = 0.0
        var horizontal = 0.0
        var vertical = 0.0
        var angular = 0.0

        mutating func add(_ pose: PoseEstimate, velocity: Vector3, rate: Vector3) throws {
            let slip = try #require(pose.velocityENU) - velocity
            let accuracy = pose.accuracy
            count += 1
            if (slip.x * slip.x + slip.y * slip.y).squareRoot() <= (try #require(accuracy.velocityHorizontal)) {
                horizontal += 1
            }
            if slip.z.magnitude <= (try #require(accuracy.velocityVertical)) { vertical += 1 }
            if (pose.angularVelocityInBody - rate).norm <= (try #require(accuracy.angularVelocity)) { angular += 1 }
        }
    }

    @Test("68 % of the errors on simulated walks are within what is promised")
    func coverage() throws {
        var coverage = Coverage()
        for seed in UInt64(1)...8 {
            let walk = try StreetWalk(seed: seed, seconds: 80)
            for (index, pose) in StreetWalk.poses(walk.measurements).enumerated() where pose.seconds > 20 {
                guard index % 40 == 0 else { continue }
                let truth = walk.walk.truth(at: pose.time)
                try coverage.add(pose, velocity: truth.velocityENU, rate: truth.angularRateInBody)
            }
        }
        // 68 %, and what the few independent errors of eight walks leave open.
        #expect((0.55...0.85).contains(coverage.horizontal / coverage.count))
        // Upwards the filter expects bodies that shake more than this walker's.
        #expect(coverage.vertical / coverage.count > 0.6)
        #expect((0.6...0.8).contains(coverage.angular / coverage.count))
    }

    @Test("a noisy gyroscope has a worse angular velocity, which is reported within seconds", arguments: [1e-4, 1e-3])
    func loudness(noise: Double) throws {
        var walk = Walk(seconds: 20, rate: 200)
        walk.gyroNoise = noise
        let pose = try #require(Walk.poses(walk.measurements()).last)
        let expected = noise * 200.0.squareRoot() * 1.87
        let reported = try #require(pose.accuracy.angularVelocity)
        // The bias and the scale come on top.
        #expect((0.85...3).contains(reported / expected))
    }

    @Test("a silent sensor leaves no velocity to be accurate about")
    func silence() throws {
        var odometry = Walk.odometry()
        for measurement in Walk(seconds: 10).measurements() { odometry.feed(measurement) { _ in } }
        var held: PoseEstimate?
        for second in 11...13 { odometry.feed(.clock(Fixture.time(Double(second)))) { held = $0.pose ?? held } }
        let pose = try #require(held)
        #expect(pose.accuracy.velocityHorizontal == nil && pose.accuracy.angularVelocity == nil)
        #expect(pose.velocityInScene == .zero && pose.accelerationInScene == .zero)
    }

    @Test("the acceleration is that of the body, without gravity")
    func acceleration() throws {
        var walk = Walk(seconds: 40)
        (walk.accelerometerNoise, walk.accelerometerBias) = (0, 0)
        let poses = Walk.poses(walk.measurements()).filter { $0.seconds > 20 }
        #expect(poses.count > 1900)
        for pose in poses {
            let alongUp = walk.truth(pose.seconds).acceleration.z
            // A tilt error of a degree leans on gravity with 0.17 m/s² across, and with nothing along the vertical.
            #expect(abs(pose.accelerationInScene.y - alongUp) < 0.05)
            #expect(pose.accelerationInScene.norm < 1.5)
        }
    }
}
