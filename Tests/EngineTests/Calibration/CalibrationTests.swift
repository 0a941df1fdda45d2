import CAllocations
import EstimatorFixtures
import Geometry
import Model
import Testing

@Suite("A calibration that is active from the start")
struct CalibrationTests {
    private static let mount = Rotation3.exp(Vector3(0.7, -1.1, 2.0))

    @Test("gives the poses of perfect sensors", arguments: UInt64(1)...3)
    func samePoses(seed: UInt64) throws {
        let board = Board(seed: seed, mount: Self.mount)
        let walk = try StreetWalk(seed: seed, seconds: 40)
        let expected = StreetWalk.poses(walk.measurements)
        let poses = StreetWalk.poses(board.measured(walk.measurements).calibrated(board.calibrations, at: 0))
        try #require(poses.count == expected.count)
        for (pose, right) in zip(poses, expected) {
            #expect((pose.rotationSceneFromBody.inverse * right.rotationSceneFromBody).log.norm < 1e-6)
            #expect((pose.positionInScene - right.positionInScene).norm < 1e-6)
            #expect((pose.angularVelocityInBody - right.angularVelocityInBody).norm < 1e-8)
        }
        let (last, right) = (try #require(poses.last), try #require(expected.last))
        #expect((last.rotationENUFromBody.inverse * right.rotationENUFromBody).log.norm < 1e-6)
        #expect(last.state == right.state && last.reasons == right.reasons)
    }

    @Test("leaves each bit as it is where it is the identity")
    func identity() {
        let walk = Walk(seconds: 20).measurements()
        let nothing = SensorCalibration.Sensor.allCases.map { SensorCalibration(time: Fixture.start, sensor: $0) }
        #expect(Walk.poses(walk) == Walk.poses(walk.calibrated(nothing, at: 0)))
        #expect(Walk.poses(walk) == Walk.poses(walk.calibrated(nothing, at: 10)))
    }

    @Test("gives the same poses to the last bit each time")
    func deterministic() {
        let board = Board(seed: 4, mount: Self.mount, standardDeviations: (1e-4, 2e-3, 0.2))
        let walk = board.measured(Walk(seconds: 20).measurements()).calibrated(board.calibrations, at: 9.3)
        #expect(Walk.poses(walk) == Walk.poses(walk))
    }

    @Test("is reported, the last of each sensor, in the order of the sensors")
    func inForce() {
        var odometry = Walk.odometry()
        #expect(odometry.calibrations.isEmpty)
        let (first, second) = (Board(seed: 1, mount: Self.mount), Board(seed: 2, mount: Self.mount.inverse))
        for calibration in first.calibrations + second.calibrations.reversed() {
            odometry.feed(.calibration(calibration)) { _ in }
        }
        #expect(odometry.calibrations.map(\.sensor) == [.gyroscope, .accelerometer, .magnetometer, .mount])
        #expect(odometry.calibrations == second.calibrations)
        odometry.feed(.calibration(SensorCalibration(time: Fixture.start, sensor: .accelerometer))) { _ in }
        #expect(odometry.calibrations.map(\.sensor) == [.gyroscope, .magnetometer, .mount])
    }

    @Test("takes counts of any size, which pass no gate before they are put right")
    func counts() throws {
        var board = Board(seed: 1)
        board.gyroscope?.correction = 6e-5 * .identity
        board.gyroscope?.bias = Vector3(220, -100, 31)
        board.accelerometer?.correction = 6e-4 * .identity
        board.magnetometer?.correction = 1e-3 * .identity
        board.magnetometer?.bias = Vector3(9000, -20_000, 300)
        let walk = Walk(seconds: 20).measurements()
        let expected = try #require(Walk.poses(walk).last)
        var odometry = Walk.odometry()
        var last: PoseEstimate?
        for measurement in board.measured(walk).calibrated(board.calibrations, at: 0) {
            odometry.feed(measurement) { last = $0.pose ?? last }
        }
        let pose = try #require(last)
        #expect(odometry.counters.refused == 0)
        #expect((pose.rotationENUFromBody.inverse * expected.rotationENUFromBody).log.norm < 1e-6)
        #expect(pose.reasons == expected.reasons)
    }

    /// Calibrations that must not be applied.
    static let absurd: [(String, SensorCalibration)] = {
        func calibration(
            _ sensor: SensorCalibration.Sensor, _ correction: Matrix<3, 3> = .identity, bias: Vector3 = .zero,
            standardDeviation: Vector3 = .zero, time: BootTime = Fixture.start
        ) -> SensorCalibration {
            SensorCalibration(
                time: time, sensor: sensor, correction: correction, bias: bias, biasStandardDeviation: standardDeviation
            )
        }
        let flat = Matrix<3, 3>(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 0))
        let mirror = Matrix<3, 3>(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, -1))
        return [
            ("no inverse", calibration(.magnetometer, flat)),
            ("hardly an inverse", calibration(.gyroscope, flat + 1e-4 * .identity)),
            ("not a number", calibration(.gyroscope, .nan * .identity)),
            ("infinite", calibration(.accelerometer, .infinity * .identity)),
            ("an infinite bias", calibration(.accelerometer, bias: Vector3(0, .infinity, 0))),
            ("a deviation that is no number", calibration(.gyroscope, standardDeviation: Vector3(.nan, 0, 0))),
            ("a negative deviation", calibration(.gyroscope, standardDeviation: Vector3(-1, 0, 0))),
            ("a huge deviation", calibration(.gyroscope, standardDeviation: Vector3(0, 1e9, 0))),
            ("a bias beyond the range", calibration(.accelerometer, bias: Vector3(501, 0, 0))),
            ("a bias whose square overflows", calibration(.magnetometer, bias: Vector3(1e200, 0, 0))),
            ("huge", calibration(.gyroscope, 1e200 * .identity)),
            ("tiny", calibration(.gyroscope, 1e-200 * .identity)),
            ("zero", calibration(.gyroscope, 0 * .identity)),
            ("a mount that scales", calibration(.mount, 1.01 * .identity)),
            ("a mount that mirrors", calibration(.mount, mirror)),
            ("a mount with a bias", calibration(.mount, bias: Vector3(0.1, 0, 0))),
            ("a time beyond all clocks", calibration(.mount, time: BootTime(nanoseconds: .max))),
        ]
    }()

    @Test("is refused, counted and without effect where it can be none", arguments: absurd.map(\.0))
    func refused(name: String) throws {
        let absurd = try #require(Self.absurd.first { $0.0 == name }).1
        let board = Board(seed: 1, mount: Self.mount)
        let walk = board.measured(Walk(seconds: 6).measurements()).calibrated(board.calibrations, at: 0)
        var odometry = Walk.odometry()
        var poses: [PoseEstimate] = []
        for (index, measurement) in walk.enumerated() {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
            guard index == walk.count / 2 else { continue }
            odometry.feed(.calibration(absurd)) { _ in }
        }
        #expect(odometry.counters.refused == 1)
        #expect(odometry.calibrations == board.calibrations)
        #expect(poses.count > 500 && poses == Walk.poses(walk))
    }

    @Test("costs a sample nothing from the heap", .enabled(if: waymark_counts_memory() != 0))
    func allocations() {
        let board = Board(seed: 1, mount: Self.mount)
        let walk = board.measured(Walk(seconds: 30).measurements())
        var odometry = Walk.odometry()
        for calibration in board.calibrations { odometry.feed(.calibration(calibration)) { _ in } }
        var taken: UInt64 = 0
        for measurement in walk {
            let before = waymark_allocations()
            odometry.feed(measurement) { _ in }
            if measurement.time > Fixture.time(25) { taken += waymark_allocations() - before }
        }
        #expect(taken == 0)
    }

    @Test("makes a measurement no larger")
    func size() {
        #expect(MemoryLayout<SensorCalibration>.size <= MemoryLayout<GNSSFix>.size)
        #expect(MemoryLayout<Measurement>.size <= MemoryLayout<GNSSFix>.size + 1)
    }
}
