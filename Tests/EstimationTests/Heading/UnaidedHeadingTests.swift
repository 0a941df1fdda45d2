import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Testing

/// A bare 9-axis board that is turned by hand, with exact truth. Heading errors in degrees.
@Suite("Heading without satellites")
struct UnaidedHeadingTests {
    /// Frame: ENU. Unit: microtesla.
    private static let field = Vector3(0, 20, -43)

    /// At rest for ten seconds, then turned about all axes.
    private static func attitude(_ t: Double) -> Rotation3 {
        let s = max(0, t - 10)
        let ease = min(1, s / 2)
        return Rotation3.aboutZ(0.4 * s * ease + 0.3 * sin(0.9 * s))
            * Rotation3.exp(Vector3(ease * 0.8 * sin(0.7 * s), ease * 0.7 * sin(1.1 * s), 0))
    }

    /// - Parameter magnet: what the magnetometer shows, from the undisturbed field in the body; nil for no sample.
    private static func run(
        seconds: Double, gyroBias: Vector3 = Vector3(0.002, -0.003, 0.004), rate: Double = 100, unit: Double = 1,
        _ magnet: (_ t: Double, _ body: Vector3, _ attitude: Rotation3) -> Vector3?
    ) -> [(t: Double, error: Double, tilt: Double, pose: PoseEstimate)] {
        var random = Seeded(11)
        var odometry = Odometry(settings: .calibrated)
        var result: [(t: Double, error: Double, tilt: Double, pose: PoseEstimate)] = []
        for k in 1..<Int(seconds * rate) {
            let t = Double(k) / rate
            let now = attitude(t)
            let middle = attitude(t - 0.5 / rate)
            let turned =
                (attitude(t - 1 / rate).inverse * now).log * rate + gyroBias + random.vector(2e-4 * rate.squareRoot())
            let force = middle.inverse * Vector3(0, 0, Site.standardGravity) + random.vector(0.02)
            let time = Fixture.time(t)
            if let shown = magnet(t, now.inverse * field, now) {
                let field = (shown + random.vector(0.4)) * unit
                odometry.feed(.magneticField(MagneticSample(time: time, field: field))) { _ in }
            }
            odometry.feed(.specificForce(SpecificForceSample(time: time, force: force))) { _ in }
            odometry.feed(.angularRate(AngularRateSample(time: time, rate: turned))) {
                guard let pose = $0.pose else { return }
                let error = (pose.rotationENUFromBody * now.inverse).log * (180 / Double.pi)
                let tilt = (error.x * error.x + error.y * error.y).squareRoot()
                result.append((t, error.z, tilt, pose))
            }
        }
        return result
    }

    private static func largest(
        _ run: [(t: Double, error: Double, tilt: Double, pose: PoseEstimate)], after: Double
    ) -> Double { run.filter { $0.t >= after }.map { abs($0.error) }.max() ?? .infinity }

    @Test("holds north while the board turns")
    func calm() {
        let run = Self.run(seconds: 60) { _, body, _ in body }
        #expect(Self.largest(run, after: 10) < 2)
    }

    @Test("a magnet put on the board does not turn north away", arguments: [8.0, 25])
    func attached(size: Double) {
        let iron = Vector3(0.6, 0, -0.8) * size
        let run = Self.run(seconds: 90) { t, body, _ in t < 25 ? body : body + iron }
        #expect(Self.largest(run, after: 10) < 5)
    }

    @Test("a magnet that lies about is ridden through")
    func stationary() {
        let run = Self.run(seconds: 90) { t, body, attitude in
            (30..<45).contains(t) ? body + attitude.inverse * Vector3(12, -4, 6) : body
        }
        // It alone would turn north by 37°.
        #expect(Self.largest(run, after: 10) < 18)
        #expect(Self.largest(run, after: 85) < 5.5)
    }

    @Test("a magnetometer that comes and goes keeps north")
    func interrupted() {
        let run = Self.run(seconds: 200) { t, body, _ in t.truncatingRemainder(dividingBy: 80) < 20 ? body : nil }
        #expect(Self.largest(run, after: 10) < 5)
    }

    @Test("a magnetometer of 5 Hz does")
    func slow() {
        let run = Self.run(seconds: 60) { t, body, _ in Int((t * 100).rounded()) % 20 == 0 ? body : nil }
        #expect(Self.largest(run, after: 10) < 3)
    }

    @Test(
        "a late magnetometer pulls north away less and less, and its unit does not matter", arguments: [1.0, 1e-6, 10])
    func late(unit: Double) {
        let run = Self.run(seconds: 60, unit: unit) { t, _, _ in Self.attitude(t - 0.015).inverse * Self.field }
        #expect(Self.largest(run, after: 10) < 3)
        #expect(run.allSatisfy { $0.tilt < 2 })
    }

    @Test("a field that points straight down gives no heading, and no wrong one")
    func vertical() throws {
        let run = Self.run(seconds: 40) { _, _, attitude in attitude.inverse * Vector3(0, 0, -60) }
        let last = try #require(run.last)
        #expect(last.pose.headingReference == .none)
        #expect(last.pose.accuracy.yaw == nil)
        #expect(run.allSatisfy { $0.tilt < 2 })
    }

    @Test("without a magnetometer the tilt is as good and the yaw only drifts")
    func none() throws {
        let run = Self.run(seconds: 60) { _, _, _ in nil }
        let last = try #require(run.last)
        #expect(last.pose.headingReference == .none)
        #expect(run.allSatisfy { $0.tilt < 2 })
        let errors = run.filter { $0.t > 10 }.map(\.error)
        #expect(try #require(errors.max()) - (try #require(errors.min())) < 5)
    }
}
