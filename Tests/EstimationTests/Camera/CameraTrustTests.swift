import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Trust in a camera")
struct CameraTrustTests {
    /// A wearer with good inertial sensors and no other aid than the camera.
    private struct Follower {
        private let walk = Walk(rate: 100)
        private(set) var filter: ErrorStateKalmanFilter
        private(set) var seconds = 0.0

        init() {
            let first = InertialSample(time: Fixture.time(0), rate: walk.angularRate(0), force: walk.force(0))
            var random = Seeded(1)
            filter = Fixture.filter(&random, settings: .calibrated)
            filter.inertial = first
            let truth = walk.truth(0)
            filter.state = NavigationState(time: first.time, rotationENUFromBody: truth.rotationENUFromBody)
            filter.state.velocity = truth.velocity
            filter.state.position = truth.position
            filter.site = Walk.site
            filter.covariance = Covariance()
            for (offset, deviation) in [
                (ErrorState.attitude, 0.02), (ErrorState.velocity, 0.1), (ErrorState.position, 1),
                (ErrorState.gyroBias, 5e-4), (ErrorState.accelerometerBias, 0.01),
            ] { filter.setVariance(of: offset, count: 3, standardDeviation: deviation) }
        }

        /// Walks on, with a pose four times a second.
        mutating func walk(for duration: Double, _ seen: (Walk.Truth, Double) -> CameraPose?) {
            let end = seconds + duration - 1e-6
            while seconds < end {
                for _ in 0..<25 {
                    seconds += 1 / walk.rate
                    filter.propagate(
                        to: InertialSample(
                            time: Fixture.time(seconds), rate: walk.angularRate(seconds), force: walk.force(seconds)))
                }
                if let pose = seen(walk.truth(seconds), seconds) { _ = filter.apply(pose) }
            }
        }

        var isTrusted: Bool { filter.cameraTrust.isTrusted }
    }

    private static func pose(_ truth: Walk.Truth, _ seconds: Double, shift: Vector3 = .zero, yaw: Double = 0)
        -> CameraPose
    {
        let turn = Rotation3.aboutZ(yaw)
        return CameraFixture.pose(
            turn * truth.rotationENUFromBody, turn * truth.position + shift, at: Fixture.time(seconds))
    }

    @Test("begins with some seconds that agree")
    func begin() {
        var follower = Follower()
        follower.walk(for: 1.5) { Self.pose($0, $1) }
        #expect(!follower.isTrusted)
        follower.walk(for: 8) { Self.pose($0, $1) }
        #expect(follower.isTrusted)
    }

    @Test("a repeated pose corrects nothing")
    func repeated() throws {
        var follower = Follower()
        follower.walk(for: 10) { Self.pose($0, $1) }
        #expect(follower.isTrusted)
        var filter = follower.filter
        var again = try #require(filter.camera).pose
        again.time = Fixture.time(follower.seconds + 0.25)
        filter.propagateCovariance()
        let (state, joint) = (filter.state, filter.joint)
        #expect(filter.apply(again) == nil)
        #expect(filter.state == state)
        #expect(filter.joint == joint)
        #expect(filter.cameraTrust.isTrusted)
    }

    @Test("a camera that repeats its pose while the wearer walks is known to, until it reports another one")
    func frozen() throws {
        var follower = Follower()
        follower.walk(for: 10) { Self.pose($0, $1) }
        var frozen = try #require(follower.filter.camera).pose
        follower.walk(for: 1.25) { _, seconds in
            frozen.time = Fixture.time(seconds)
            return frozen
        }
        #expect(follower.filter.cameraTrust.isRepeating)
        follower.walk(for: 2) { Self.pose($0, $1) }
        #expect(!follower.filter.cameraTrust.isRepeating)
    }

    @Test("a jump that is not announced moves nothing, and the camera is watched until it agrees again")
    func jump() {
        var follower = Follower()
        follower.walk(for: 10) { Self.pose($0, $1) }
        #expect(follower.isTrusted)
        let shift = Vector3(2, -1, 0)
        follower.walk(for: 0.25) { Self.pose($0, $1, shift: shift) }
        #expect(!follower.isTrusted && follower.filter.cameraTrust.doubt == .jumps)
        #expect(follower.filter.camera?.isPlaced == false)
        follower.walk(for: 2) { Self.pose($0, $1, shift: shift) }
        #expect(!follower.isTrusted)
        follower.walk(for: 8) { Self.pose($0, $1, shift: shift) }
        #expect(follower.isTrusted)
        let error = follower.filter.state.position - Walk().truth(follower.seconds).position
        #expect(error.norm < 0.5)
    }

    @Test("an announced change of the frame is none of its errors")
    func announced() {
        var follower = Follower()
        follower.walk(for: 10) { Self.pose($0, $1) }
        follower.walk(for: 5) {
            var pose = Self.pose($0, $1, shift: Vector3(20, 0, 0), yaw: 2)
            pose.reset = 1
            return pose
        }
        #expect(follower.isTrusted)
    }

    @Test("a yaw that runs away at 1°/s is refused within ten seconds", arguments: [-1.0, 1])
    func runningYaw(sign: Double) {
        var follower = Follower()
        follower.walk(for: 10) { Self.pose($0, $1) }
        #expect(follower.isTrusted)
        let begin = follower.seconds
        var refusedAfter: Double?
        while follower.seconds < begin + 10, refusedAfter == nil {
            follower.walk(for: 0.25) { truth, seconds in
                Self.pose(truth, seconds, yaw: sign * .pi / 180 * (seconds - begin))
            }
            if !follower.isTrusted { refusedAfter = follower.seconds - begin }
        }
        #expect(refusedAfter != nil && follower.filter.cameraTrust.doubt == .turnsAway)
        let truth = Walk().truth(follower.seconds)
        let turn = follower.filter.state.rotationENUFromBody * truth.rotationENUFromBody.inverse
        #expect(abs(turn.yawAboutZ) < 0.05)
    }
}
