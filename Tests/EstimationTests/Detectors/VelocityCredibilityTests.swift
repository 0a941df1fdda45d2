import BoardHandling
import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

@Suite("Velocities without an accuracy")
struct VelocityCredibilityTests {
    private static let seeds = UInt64(1)...4

    /// Of a walk in the city, after two seconds.
    private struct Outcome {
        /// Probability at the end that velocities are measured.
        var probability: Double
        /// Share of the time in which the heading is off by more than three of its deviations, and 3°.
        var wrong: Double
        /// Largest published speed. Unit: m/s.
        var fastest: Double
        var last: PoseEstimate
    }

    private static func outcome(
        _ gnss: SensorErrors.GNSS, seed: UInt64, seconds: Double, change: (GNSSFix) -> GNSSFix = { $0 }
    ) throws -> Outcome {
        var errors = SensorErrors.typical
        errors.gnss = gnss
        let walk = GaitFixture.walk(seed: seed, magneticRate: 25, errors: errors)
        var odometry = Odometry(settings: .calibrated)
        var (wrong, count, fastest) = (0, 0, 0.0)
        var last: PoseEstimate?
        for measurement in GaitFixture.measurements(walk, seconds: seconds) {
            var fed = measurement
            if case .fix(let fix) = measurement { fed = .fix(change(fix)) }
            odometry.feed(fed) { output in
                guard let pose = output.pose, pose.seconds > 2 else { return }
                last = pose
                fastest = max(fastest, pose.velocityENU?.horizontalNorm ?? 0)
                guard let accuracy = pose.accuracy.yaw else { return }
                let truth = walk.truth(at: pose.time).rotationENUFromBody
                let error = abs((pose.rotationENUFromBody * truth.inverse).yawAboutZ)
                count += 1
                if error > max(3 * accuracy, Angle.radians(degrees: 3)) { wrong += 1 }
            }
        }
        let filter = odometry.filter
        return Outcome(
            probability: try #require(filter).velocityCredibility.probability,
            wrong: Double(wrong) / Double(max(1, count)), fastest: fastest, last: try #require(last))
    }

    @Test("are trusted after some steps that agree, and confirm the heading", arguments: seeds)
    func measured(seed: UInt64) throws {
        let outcome = try Self.outcome(.withoutVelocityAccuracy, seed: seed, seconds: 60)
        #expect(outcome.probability > 0.95)
        #expect(outcome.wrong < 0.03)
        #expect(outcome.last.state == .localized)
        #expect(try #require(outcome.last.accuracy.yaw) < Angle.radians(degrees: 10))
    }

    @Test("of a locator are not trusted, and falsify neither heading nor speed", arguments: seeds)
    func locator(seed: UInt64) throws {
        let outcome = try Self.outcome(.locator, seed: seed, seconds: 120)
        #expect(outcome.probability < 0.05)
        #expect(outcome.wrong < 0.03)
        #expect(outcome.fastest < 5)
    }

    @Test("are distrusted soon where a receiver no longer measures them", arguments: seeds)
    func changed(seed: UInt64) throws {
        #expect(try Self.outcome(.withoutVelocityAccuracy, seed: seed, seconds: 55).probability > 0.95)
        let outcome = try Self.outcome(.withoutVelocityAccuracy, seed: seed, seconds: 75) { fix in
            guard fix.epoch > Fixture.time(55), let east = fix.velocityENU.east, let north = fix.velocityENU.north
            else { return fix }
            var lower = fix
            lower.velocityENU = .init(east: 0.1 * east, north: 0.1 * north, up: fix.velocityENU.up)
            return lower
        }
        #expect(outcome.probability < 0.5)
    }

    /// Standard deviation that the last of some fixes gets, and the probability that velocities are measured.
    ///
    /// - Parameters:
    ///   - velocity: by the receiver, at a time. Unit: m/s.
    ///   - position: by the receiver, at a time. Unit: metres.
    private static func assessed(
        seconds: Int, reports: Bool = false, velocity: (Double) -> Vector3, position: (Double) -> Vector3
    ) throws -> (standardDeviation: Double, probability: Double) {
        let first = InertialSample(time: Fixture.time(0), rate: .zero, force: Vector3(0, 0, Walk.site.gravity))
        var filter = ErrorStateKalmanFilter(first: first, settings: EstimatorSettings())
        var last: LocalFix?
        for k in 0...seconds {
            last = filter.assessVelocity(
                of: LocalFix(
                    time: Fixture.time(Double(k)), position: position(Double(k)), hasHeight: true,
                    positionStandardDeviation: Vector3(3, 3, 5), velocity: velocity(Double(k)),
                    hasVerticalVelocity: true, velocityStandardDeviation: 0.3, antennaInBody: .zero, site: Walk.site,
                    reportsVelocityAccuracy: reports))
        }
        return (try #require(last).velocityStandardDeviation, filter.velocityCredibility.probability)
    }

    private static let still: @Sendable (Double) -> Vector3 = { _ in .zero }

    @Test("of a vehicle are compared with its positions")
    func vehicle() throws {
        let displacement = { Vector3(8 * $0, 3 * $0, 0) }
        let measured = try Self.assessed(seconds: 30, velocity: { _ in Vector3(8, 3, 0) }, position: displacement)
        #expect(measured.probability > 0.95 && measured.standardDeviation < 0.4)
        let other = try Self.assessed(seconds: 20, velocity: { _ in Vector3(1, 0, 0) }, position: displacement)
        #expect(other.probability < 0.05 && other.standardDeviation > 0.95)
    }

    @Test("stay trusted where a position jumps")
    func jump() throws {
        let velocity = Vector3(8, 3, 0)
        let assessed = try Self.assessed(
            seconds: 50, velocity: { _ in velocity },
            position: { t in velocity * t + (t > 40 ? Vector3(0, 60, 0) : .zero) })
        #expect(assessed.probability > 0.9)
    }

    @Test("at rest show nothing: the two explanations stay even")
    func rest() throws {
        let assessed = try Self.assessed(seconds: 60, velocity: Self.still, position: Self.still)
        #expect(assessed.probability == 0.5)
        #expect(abs(assessed.standardDeviation - (0.5 * 0.09 + 0.5 as Double).squareRoot()) < 1e-9)
    }

    @Test("with a reported accuracy keep it")
    func reported() throws {
        let assessed = try Self.assessed(
            seconds: 60, reports: true, velocity: Self.still, position: { Vector3(9 * $0, 0, 0) })
        #expect(assessed.probability == 0.5 && assessed.standardDeviation == 0.3)
    }

    @Test("show no rest while a walk is within their noise")
    func motion() {
        var motion = ReceiverMotion()
        for (standardDeviation, expected) in [(0.3, false), (0.9, nil)] as [(Double, Bool?)] {
            motion.note(
                LocalFix(
                    time: Fixture.time(1), position: .zero, hasHeight: true,
                    positionStandardDeviation: Vector3(3, 3, 5),
                    velocity: Vector3(0.5, 0, 0), hasVerticalVelocity: true,
                    velocityStandardDeviation: standardDeviation, antennaInBody: .zero, site: Walk.site),
                settings: EstimatorSettings.GNSS())
            #expect(motion.isMoving(at: Fixture.time(1.5), beyond: 0.2) == expected)
        }
    }
}
