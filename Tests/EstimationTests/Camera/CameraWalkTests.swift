import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Testing

/// Walks with fixes and a camera whose errors are known.
@Suite("A camera on a walk")
struct CameraWalkTests {
    /// A camera with a scale, a mount, late stamps, and odometry that drifts.
    private struct Camera {
        /// Standard deviation of each component of a position. Unit: metres.
        let noise = 0.004
        /// Unit: m/√m.
        let displacementNoise = 0.01
        /// Unit: rad/√s (0.1 °/√s).
        let yawWalk = 1.75e-3
        let logScale = 0.01
        /// Unit: seconds.
        let delay = 0.04
        /// Of 2°.
        let mount = Vector3(0.02, -0.02, 0.02)
        /// Unit: seconds.
        let interval = 0.1

        /// Rotation about up to ENU from the own frame.
        private(set) var yaw = 0.7
        private var position = Vector3(3, 1, 2)
        private var last: Vector3?

        /// Pose at an exposure. Frame: the camera's own, z up.
        mutating func pose(_ truth: Walk.Truth, _ random: inout Seeded) -> (position: Vector3, rotation: Rotation3) {
            let displacement = truth.position - (last ?? truth.position)
            last = truth.position
            yaw += yawWalk * interval.squareRoot() * random.gaussian()
            let level = Rotation3.aboutZ(-yaw)
            position +=
                level * displacement * exp(logScale) + random.vector(displacementNoise * displacement.norm.squareRoot())
            return (
                position + random.vector(noise),
                level * truth.rotationENUFromBody * Rotation3.exp(mount) * Rotation3.exp(random.vector(1e-3))
            )
        }
    }

    /// Rotation from the camera's own frame with y up, in which it reports, to that with z up.
    private static let levelFromOwn = Rotation3.exp(Vector3(.pi / 2, 0, 0))

    private static func measurements(
        _ walk: Walk, _ camera: inout Camera, _ yaws: inout [Double], _ random: inout Seeded
    ) -> [Measurement] {
        var timed = walk.measurements().map { ($0.arrival.seconds(since: Fixture.start), $0) }
        for k in 0..<Int(walk.seconds / camera.interval) {
            let t = Double(k) * camera.interval + 0.003
            let pose = camera.pose(walk.truth(t), &random)
            yaws.append(camera.yaw)
            let own = OdometryPose(
                position: levelFromOwn.inverse * pose.position,
                rotationOwnFromBody: levelFromOwn.inverse * pose.rotation, reset: 0, tracking: 1)
            let stamp = t + camera.delay
            let aid = AidMeasurement(
                source: CameraFixture.source, time: Fixture.time(stamp), arrival: Fixture.time(stamp + 0.02),
                content: .odometry(own))
            timed.append((stamp + 0.02, .aid(aid)))
        }
        return timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map { $0.element.1 }
    }

    @Test("its scale, mount and delay are learned, and its frame is as accurate as it claims", arguments: UInt64(1)...3)
    func errors(seed: UInt64) throws {
        var (random, camera, yaws) = (Seeded(100 + seed), Camera(), [Double]())
        let walk = Walk(seconds: 60, seed: seed)
        var odometry = Walk.odometry()
        var (squares, poses) = ([Double](), 0)
        for measurement in Self.measurements(walk, &camera, &yaws, &random) {
            odometry.feed(measurement) { _ in }
            guard case .aid = measurement else { continue }
            poses += 1
            guard poses > 300, poses % 10 == 0, let frame = odometry.filter?.camera else { continue }
            // The newest pose that was used may be one of the last few: the yaw hardly drifts meanwhile.
            let error = Angle.wrapped(frame.yaw - yaws[poses - 1])
            squares.append(error * error / frame.covariance[CameraError.yaw, CameraError.yaw])
        }
        let last = odometry.filter
        let filter = try #require(last)
        #expect(filter.cameraTrust.isTrusted)
        let frame = try #require(filter.camera)
        expect(frame.logScale, camera.logScale, frame, CameraError.logScale, within: 0.02)
        expect(frame.delay, camera.delay, frame, CameraError.delay, within: 0.015)
        expect(frame.mount.x, camera.mount.x, frame, CameraError.mount, within: 0.02)
        expect(frame.mount.y, camera.mount.y, frame, CameraError.mount + 1, within: 0.03)
        expect(frame.mount.z, camera.mount.z, frame, CameraError.mount + 2, within: 0.02)
        let mean = squares.reduce(0, +) / Double(max(1, squares.count))
        #expect(squares.count > 20 && mean < 4, "NEES \(mean)")
    }

    private func expect(
        _ value: Double, _ truth: Double, _ frame: CameraFrame, _ index: Int, within maximum: Double,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let deviation = frame.covariance[index, index].squareRoot()
        #expect(abs(value - truth) < 3 * deviation, "\(value) ± \(deviation)", sourceLocation: location)
        #expect(deviation < maximum, "standard deviation \(deviation)", sourceLocation: location)
    }
}
