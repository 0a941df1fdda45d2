import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

@Suite("A calibration that is applied during a walk")
struct RecalibrationTests {
    private static let standardDeviations = (gyroscope: 2e-4, accelerometer: 3e-3, magnetometer: 0.3)
    private static let mount = Rotation3.exp(Vector3(0.2, -0.4, 0.3))
    private static let instant = 60.0
    private static let degree = Double.pi / 180

    private static func board(_ seed: UInt64) -> Board {
        Board(seed: seed + 100, mount: mount, standardDeviations: standardDeviations)
    }

    @Test(
        "does not make the published pose jump, and is right from then on",
        arguments: SensorCalibration.Sensor.allCases, UInt64(3)...5)
    func eachSensor(sensor: SensorCalibration.Sensor, seed: UInt64) throws {
        let board = Self.board(seed).only(sensor)
        let walk = try StreetWalk(seed: seed, seconds: 110)
        let poses = StreetWalk.poses(
            board.measured(walk.measurements).calibrated(board.calibrations, at: Self.instant))
        let jumps = PoseJumps(poses.filter { $0.seconds > Self.instant - 0.1 && $0.seconds < Self.instant + 10 })
        // A step of a walk has 0.0005° and 0.1 mm; what follows is what a fix does as well, and is not seen.
        #expect(jumps.turn < 0.01 * Self.degree && jumps.shift < 0.002, "\(jumps)")
        let errors = try walk.errors(poses, from: Self.instant + 20)
        // The walk's own with perfect sensors are 1° to 3°, for the street's iron turns the field, and 0.1°.
        #expect(errors.yaw < 4 * Self.degree && errors.tilt < 0.5 * Self.degree, "\(errors)")
        let before = try walk.errors(poses.filter { $0.seconds < Self.instant }, from: 40)
        if sensor == .mount { #expect(before.yaw > 10 * Self.degree, "the calibration was needed: \(before)") }
    }

    @Test("lets the published alignment go to its new target at the usual pace", arguments: UInt64(3)...5)
    func alignment(seed: UInt64) throws {
        let board = Self.board(seed)
        let walk = try StreetWalk(seed: seed, seconds: 75)
        var odometry = Odometry(settings: .calibrated)
        var last: (time: BootTime, yaw: Double, here: Vector3)?
        var count = 0
        let settings = odometry.publication.scene
        for measurement in board.measured(walk.measurements).calibrated(board.calibrations, at: Self.instant) {
            var pose: PoseEstimate?
            odometry.feed(measurement) { pose = $0.pose ?? pose }
            guard let pose, pose.seconds > 50, let alignment = odometry.alignment else { continue }
            defer { last = (pose.time, alignment.yaw, alignment.pointENU(ofScene: pose.positionInScene)) }
            guard let last else { continue }
            count += 1
            let interval = pose.time.seconds(since: last.time)
            let turn = Angle.wrapped(alignment.yaw - last.yaw).magnitude
            // A walker's head turns by less than 6 rad/s.
            #expect(turn <= (settings.slewRate + 6 * settings.slewShareOfTurning) * interval)
            let pace = settings.slewSpeed + (1 + settings.slewShareOfSpeed) * 4
            #expect((alignment.pointENU(ofScene: pose.positionInScene) - last.here).norm <= pace * interval)
        }
        #expect(count > 4000)
    }

    @Test("turns the published body to other axes too slowly to be noticed, and reports the angle that is left")
    func mountSlew() throws {
        let board = Self.board(3).only(.mount)
        let walk = try StreetWalk(seed: 3, seconds: 80)
        let raw = board.measured(walk.measurements)
        let poses = StreetWalk.poses(raw.calibrated(board.calibrations, at: Self.instant))
        let right = StreetWalk.poses(walk.measurements)
        var angle = Self.mount.log.norm
        let scene = PublicationSettings().scene
        for (pose, truth) in zip(poses, right) where pose.seconds >= Self.instant {
            let rest = (truth.rotationSceneFromBody.inverse * pose.rotationSceneFromBody).log.norm
            // What the two filters differ by otherwise: that in which board the steps are.
            let margin = 0.2 * Self.degree
            #expect(rest >= angle - margin, "at \(pose.seconds) s")
            angle = max(
                0, angle - (scene.slewRate + scene.slewShareOfTurning * truth.angularVelocityInBody.norm) * 0.005)
            #expect(rest <= angle + margin, "at \(pose.seconds) s")
            let yaw = try #require(pose.accuracy.yaw)
            #expect(yaw >= angle - margin)
        }
        #expect(angle == 0)
    }

    @Test("is active at once where nothing was published before")
    func mountBeforeFirstPose() throws {
        let board = Self.board(3).only(.mount)
        let walk = try StreetWalk(seed: 3, seconds: 20)
        let raw = board.measured(walk.measurements)
        let index = try #require(raw.firstIndex { if case .specificForce = $0 { true } else { false } })
        let calibrations = board.calibrations.map(Measurement.calibration)
        let poses = StreetWalk.poses(Array(raw[...index]) + calibrations + Array(raw[(index + 1)...]))
        let right = StreetWalk.poses(walk.measurements)
        try #require(poses.count == right.count)
        for (pose, truth) in zip(poses, right) {
            #expect((truth.rotationSceneFromBody.inverse * pose.rotationSceneFromBody).log.norm < 1e-6)
        }
    }

    @Test(
        "that is nearly the one before disturbs nothing",
        arguments: [SensorCalibration.Sensor.gyroscope, .accelerometer, .magnetometer], UInt64(3)...4)
    func nearlyEqual(sensor: SensorCalibration.Sensor, seed: UInt64) throws {
        var board = Self.board(seed).only(sensor)
        let walk = try StreetWalk(seed: seed, seconds: 100)
        let raw = board.measured(walk.measurements).calibrated(board.calibrations, at: 0)
        var random = Seeded(seed)
        board.gyroscope?.bias += random.vector(Self.standardDeviations.gyroscope)
        board.accelerometer?.bias += random.vector(Self.standardDeviations.accelerometer)
        board.magnetometer?.bias += random.vector(Self.standardDeviations.magnetometer)
        let poses = StreetWalk.poses(raw.calibrated(board.calibrations, at: Self.instant))
        let jumps = PoseJumps(poses.filter { $0.seconds > Self.instant - 0.1 && $0.seconds < Self.instant + 1 })
        #expect(jumps.turn < 0.005 * Self.degree && jumps.shift < 0.001, "\(jumps)")
        let (errors, before) = (
            try walk.errors(poses, from: Self.instant), try walk.errors(StreetWalk.poses(raw), from: Self.instant)
        )
        #expect(errors.yaw < before.yaw + 0.1 * Self.degree, "\(errors), \(before)")
        #expect(errors.tilt < before.tilt + 0.05 * Self.degree, "\(errors), \(before)")
        #expect(errors.horizontal < before.horizontal + 0.05, "\(errors), \(before)")
    }

    @Test("is reported as what moves the frame")
    func cause() throws {
        let board = Self.board(4).only(.magnetometer)
        let walk = try StreetWalk(seed: 4, seconds: 65)
        var odometry = Odometry(settings: .calibrated)
        var causes: [(Double, FrameCauses)] = []
        for measurement in board.measured(walk.measurements).calibrated(board.calibrations, at: Self.instant) {
            odometry.feed(measurement) { events in
                guard let frame = events.frame, let pose = events.pose else { return }
                causes.append((pose.seconds, frame.causes))
            }
        }
        #expect(causes.contains { $0.1.contains(.calibration) })
        for (seconds, causes) in causes where causes.contains(.calibration) {
            #expect(seconds >= Self.instant && seconds < Self.instant + 2)
        }
    }

    @Test("during the search for north lets every hypothesis follow", arguments: UInt64(1)...3)
    func duringSearch(seed: UInt64) throws {
        let board = Self.board(seed)
        let walk = try StreetWalk(seed: seed, seconds: 90) { $0.magneticRate = 0 }
        var odometry = Odometry(settings: .calibrated)
        var poses: [PoseEstimate] = []
        for measurement in board.measured(walk.measurements).calibrated(board.calibrations, at: 7) {
            odometry.feed(measurement) { if let pose = $0.pose { poses.append(pose) } }
        }
        let errors = try walk.errors(poses, from: 60)
        #expect(errors.yaw < 4 * Self.degree && errors.tilt < 0.6 * Self.degree, "\(errors)")
    }

    @Test("refuses a fix from before it as too late, and takes those after it")
    func lateFix() throws {
        let walk = Walk(seconds: 20, pace: 2, delay: 0.4)
        let board = Board(seed: 1, mount: Self.mount)
        var odometry = Walk.odometry()
        var last: PoseEstimate?
        // Between the epoch of a fix, 15.5013 s, and its arrival.
        for measurement in board.measured(walk.measurements()).calibrated(board.calibrations, at: 15.7) {
            odometry.feed(measurement) { last = $0.pose ?? last }
        }
        #expect(odometry.counters.tooLate == 1)
        #expect(odometry.counters.refused == 1)
        #expect(last?.state == .localized)
    }
}
