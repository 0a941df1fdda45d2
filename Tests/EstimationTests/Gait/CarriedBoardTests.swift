import BoardHandling
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Simulation
import Testing

/// Simulated walks with the board anywhere on the body.
@Suite("Carried boards")
struct CarriedBoardTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var carriage: Carriage
        var orientation: Rotation3
        var seed: UInt64
        var testDescription: String
    }

    private static func cases(_ carriages: [Carriage], seeds: ClosedRange<UInt64>) -> [Case] {
        carriages.flatMap { carriage in
            seeds.flatMap { seed in
                [
                    ("upright", Rotation3.identity), ("upside down", .boardUpsideDown),
                    ("on its side", .boardOnItsSide), ("random", .randomBoardOrientation(seed: seed)),
                ].map {
                    Case(
                        carriage: carriage, orientation: $1, seed: seed, testDescription: "\(carriage) \($0) \(seed)")
                }
            }
        }
    }

    private struct Outcome {
        /// Counted and taken.
        var steps = (counted: 0.0, taken: 0.0)
        /// By the estimator and in truth. Unit: metres.
        var distance = (estimated: 0.0, walked: 0.0)
        /// Angle that turns the estimated way best onto the true one. Unit: radians.
        var turn = 0.0
        /// Share of the time in which the position lies within three published radii.
        var inThreeRadii = 0.0
    }

    /// - Parameters:
    ///   - satellites: until when there are fixes. Unit: seconds.
    ///   - from: since when the outcome counts. Unit: seconds.
    private func run(_ test: Case, satellites: Double, from: Double, to: Double) throws -> Outcome {
        var settings = CityWalkSettings(seed: test.seed)
        settings.openingSeconds = GaitFixture.opening
        settings.wearing = .init(test.carriage, test.orientation)
        settings.inertialRate = 100
        settings.pressureRate = 0
        let walk = try #require(
            CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025))
        var odometry = Odometry(settings: .calibrated)
        var outcome = Outcome()
        var lastStep: BootTime?
        var (next, count, within) = (from, 0.0, 0.0)
        var places: [(estimated: Vector3, truth: Vector3)] = []
        for measurement in GaitFixture.measurements(walk, seconds: to) {
            if case .fix(let fix) = measurement, fix.epoch.seconds(since: Fixture.start) > satellites { continue }
            var newest: PoseEstimate?
            odometry.feed(measurement) { newest = $0.pose ?? newest }
            guard let pose = newest, let step = odometry.filter?.gait.lastStep else { continue }
            if step != lastStep, pose.seconds > from { outcome.steps.counted += 1 }
            lastStep = step
            guard pose.seconds >= next else { continue }
            next += 1
            let truth = walk.truth(at: pose.time).positionENU
            var estimated = Vector3(pose.positionInScene.x, -pose.positionInScene.z, 0)
            if let place = pose.geodetic {
                estimated = walk.plane.pointENU(of: place)
                let error = estimated - truth
                count += 1
                if Vector3(error.x, error.y, 0).norm < 3 * (pose.accuracy.horizontal ?? 0) { within += 1 }
            }
            places.append((Vector3(estimated.x, estimated.y, 0), Vector3(truth.x, truth.y, 0)))
        }
        outcome.steps.taken =
            (walk.steps(at: Fixture.time(to)) ?? 0) - (walk.steps(at: Fixture.time(from)) ?? 0)
        var (along, across) = (0.0, 0.0)
        for (before, now) in zip(places, places.dropFirst()) {
            let (a, b) = (now.estimated - before.estimated, now.truth - before.truth)
            outcome.distance.estimated += a.norm
            outcome.distance.walked += b.norm
            along += a.dot(b)
            across += a.cross(b).z
        }
        outcome.turn = atan2(across, along)
        outcome.inThreeRadii = count > 0 ? within / count : 1
        return outcome
    }

    @Test(
        "every step counts once, and the way has its length, without satellites",
        arguments: cases([.chest, .bag, .trousers], seeds: 1...3))
    func length(test: Case) throws {
        let outcome = try run(test, satellites: 0, from: 25, to: 120)
        let share = outcome.steps.counted / outcome.steps.taken
        #expect(share > 0.93 && share < 1.04)
        // The length of the steps is not given: people of one height differ by a tenth.
        let ratio = outcome.distance.estimated / outcome.distance.walked
        #expect(ratio > 0.75 && ratio < 1.2)
    }

    @Test("a leg's swing shows which way is ahead", arguments: cases([.trousers], seeds: 1...4))
    func leg(test: Case) throws {
        let outcome = try run(test, satellites: 0, from: 0, to: 120)
        // A compass that was never turned about is off by up to 10°, a thigh twists by up to 6°.
        #expect(abs(outcome.turn) < 0.45)
    }

    @Test(
        "satellites teach the direction in any carriage, and the position keeps to its radius",
        arguments: cases([.chest, .bag, .trousers], seeds: 1...3))
    func taught(test: Case) throws {
        let outcome = try run(test, satellites: 68, from: 68, to: 188)
        #expect(abs(outcome.turn) < 0.35)
        #expect(outcome.inThreeRadii > 0.9)
        let ratio = outcome.distance.estimated / outcome.distance.walked
        #expect(ratio > 0.88 && ratio < 1.1)
    }

    @Test(
        "a board that is not worn ahead does not claim to know the direction",
        arguments: cases([.bag], seeds: 1...3).filter { $0.testDescription.contains("upside down") })
    func unknown(test: Case) throws {
        // A fix while the wearer stands gives the position, and nothing of the direction.
        let outcome = try run(test, satellites: 6, from: 6, to: 150)
        #expect(outcome.inThreeRadii > 0.9)
    }
}
