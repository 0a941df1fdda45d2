import CAllocations
import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

/// Through the whole estimator: the walk of the simulation with its typical sensors.
@Suite("Hard iron on a simulated walk")
struct HardIronWalkTests {
    /// Feeds a walk with an iron on the board, and returns what is found at its end.
    private func run(
        seed: UInt64, minutes: Double, iron: Vector3, late: Bool = false,
        visit: (Double, inout Odometry) -> Void = { _, _ in }
    ) throws -> (proposal: ProposedHardIron?, residuals: SensorResiduals?, walk: CityWalk) {
        var settings = CityWalkSettings(seed: seed)
        settings.inertialRate = 50
        settings.magneticRate = 10
        settings.pressureRate = 0
        settings.errors.magnetometer.hardIron = 0
        if late { settings.errors.gnss.delaySeconds = 1.9...1.9 }
        var walk = try #require(
            CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025))
        var odometry = Odometry(settings: .calibrated)
        var seconds = 0.0
        while seconds < minutes * 60 {
            let measurement = walk.next()
            seconds = measurement.arrival.seconds(since: Fixture.start)
            if case .magneticField(var sample) = measurement {
                sample.field += iron
                odometry.feed(.magneticField(sample)) { _ in }
            } else {
                odometry.feed(measurement) { _ in }
            }
            if case .fix = measurement { visit(seconds, &odometry) }
        }
        return (odometry.hardIronProposal, odometry.residuals, walk)
    }

    @Test("is proposed, proven after ten minutes of walking, and reported beside what the filter tracks")
    func proven() throws {
        let iron = Vector3(3.6, 0, -4.8)
        var proofs: [(at: Double, seconds: Double)] = []
        let end = try run(seed: 1, minutes: 26, iron: iron) { seconds, odometry in
            guard let proposal = odometry.hardIronProposal, proposal.isProven else { return }
            proofs.append((seconds, proposal.seconds))
        }
        let proposal = try #require(end.proposal)
        #expect(proposal.isProven)
        // The street's own iron is 1.2 µT.
        #expect((proposal.offset - iron).norm < 2)
        #expect(proofs.count > 10 && proofs.allSatisfy { $0.seconds >= 600 && $0.at > 780 })
        let residuals = try #require(end.residuals)
        let truth = end.walk.sensorBiases(at: Fixture.time(1550))
        #expect((residuals.gyroBias.value - truth.gyroscope).norm < 1e-3)
        #expect((residuals.accelerometerBias.value - truth.accelerometer).norm < 0.03)
        let tracked = try #require(residuals.hardIron)
        #expect((tracked.value - iron).norm < 1)
        #expect(tracked.standardDeviation.x > 0 && residuals.gyroBias.standardDeviation.x > 0)
    }

    @Test("nothing is proposed where there is none", arguments: UInt64(1)...4)
    func clean(seed: UInt64) throws {
        var looks = 0
        _ = try run(seed: seed, minutes: 20, iron: .zero) { seconds, odometry in
            #expect(odometry.hardIronProposal == nil, "\(seconds)")
            looks += 1
        }
        #expect(looks > 100)
    }

    @Test("once the offset is in the calibration, nothing more is proposed")
    func applied() throws {
        var applied: Double?
        let end = try run(seed: 3, minutes: 22, iron: Vector3(6, 0, -8)) { seconds, odometry in
            guard applied == nil else { return #expect(odometry.hardIronProposal == nil, "\(seconds)") }
            guard let proposal = odometry.hardIronProposal else { return }
            applied = seconds
            odometry.feed(
                .calibration(
                    SensorCalibration(
                        time: Fixture.time(seconds), sensor: .magnetometer, bias: proposal.offset,
                        biasStandardDeviation: proposal.standardDeviation))
            ) { _ in }
        }
        #expect(try #require(applied) < 660)
        let left = try #require(end.residuals?.hardIron)
        #expect((left.value.x * left.value.x + left.value.z * left.value.z).squareRoot() < 1)
    }

    @Test("comes out the same to the last bit, and hardly otherwise with fixes that are late")
    func deterministic() throws {
        let iron = Vector3(6, 0, -8)
        let first = try #require(try run(seed: 3, minutes: 9, iron: iron).proposal)
        #expect(try run(seed: 3, minutes: 9, iron: iron).proposal == first)
        let late = try #require(try run(seed: 3, minutes: 9, iron: iron, late: true).proposal)
        // Fixes have other errors where their delays are drawn otherwise.
        #expect((late.offset - first.offset).norm < 0.2)
    }

    @Test(
        "nothing of it is on the heap",
        .enabled(if: waymark_counts_memory() != 0, "a sanitizer has a malloc of its own"))
    func allocations() throws {
        var tracker = HardIronTracker(settings: PublicationSettings.HardIron())
        var board = WornBoard(seed: 1)
        let readings = (0..<12_000).map { _ in board.next(iron: Vector3(6, 0, -8)) }
        let before = waymark_allocations()
        for reading in readings { tracker.add(reading) }
        #expect(waymark_allocations() == before)
        #expect(tracker.proposal != nil)
    }
}
