import BoardHandling
import Calibration
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("Mount: standing and walking straight")
struct MountSessionTests {
    @Test("perfect sensors on a walker who goes where it faces find the mount", arguments: 1...6 as ClosedRange<UInt64>)
    func exact(seed: UInt64) throws {
        let style = WalkStyle(wander: 0, looking: 0, facing: 0)
        var walk = MountedWalk(
            .straightWalks(standSeconds: 4, metres: 10, style: style), errors: HandledErrors(), seed: seed
        ) { $0 = HandledBoard(.straightWalks(standSeconds: 4, metres: 10, style: style), seed: seed) }
        walk.board.mount = MountedWalk.mount(seed: seed)
        let result = walk.run()
        // Without noise the channels stand still to the last bit, which no sensor does.
        #expect(result.verdict.refusal == nil || result.verdict.refusal == .constantChannel)
        let error = try #require(walk.error(of: result))
        // Gait at its ends, and the body's yaw over the steps, are not quite even.
        #expect(error.norm < 0.5 * .pi / 180)
        #expect(result.fits.first?.sensor == .mount)
    }

    @Test("an accelerometer of the other sign gives the mount rotated by 180° around the axis to the right")
    func otherSign() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var walk = MountedWalk(seed: seed)
            walk.board.mount = MountedWalk.mount(seed: seed)
            let result = walk.run { measurements in
                measurements = Handled.changed(measurements, force: { -$0.force })
            }
            let found = try #require(result.fits.first?.correction)
            let upright = Matrix(Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1))
            let error = try #require(Rotation3(matrix: upright * found)) * walk.board.mount.inverse
            #expect(error.log.norm < 10 * .pi / 180, "\(seed)")
        }
    }

    @Test("one walk is enough, with an error within what is predicted", arguments: 1...8 as ClosedRange<UInt64>)
    func once(seed: UInt64) throws {
        var walk = MountedWalk(seed: seed)
        let result = walk.run()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        let error = try #require(walk.error(of: result))
        let heading = try #require(result.predictedHeadingError)
        let tilt = try #require(result.predictedTiltError)
        #expect(heading < 3.5 * .pi / 180)
        #expect(abs(error.y) < 3.5 * heading)
        #expect((error.x * error.x + error.z * error.z).squareRoot() < 3 * tilt)
        let (isComplete, instruction) = (walk.session.isComplete, walk.session.progress.instruction)
        // Else one is asked to walk once more.
        #expect(isComplete == (heading <= 3 * .pi / 180))
        #expect(instruction == (isComplete ? .done : .walkStraight))
    }

    @Test("predicted errors agree with the true ones, over 100 boards and walkers", arguments: [1, 4])
    func predictedErrors(walks: Int) throws {
        var (heading, tilt, predictedHeading, predictedTilt, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for seed in 101...200 as ClosedRange<UInt64> {
            var walk = MountedWalk(.straightWalks(walks, standSeconds: 4, metres: 10), seed: seed) {
                $0.inertialRate = 50
            }
            let result = walk.run()
            guard result.verdict.isAccepted, let error = walk.error(of: result),
                let headingError = result.predictedHeadingError, let tiltError = result.predictedTiltError
            else {
                Issue.record("seed \(seed): \(result.verdict.reason)")
                continue
            }
            heading += error.y * error.y
            tilt += error.x * error.x + error.z * error.z
            predictedHeading += headingError * headingError
            predictedTilt += tiltError * tiltError
            count += 1
        }
        let degrees = [heading, predictedHeading, tilt, predictedTilt].map { ($0 / count).squareRoot() * 180 / .pi }
        #expect(abs(degrees[1] / degrees[0] - 1) < 0.3)
        #expect(abs(degrees[3] / degrees[2] - 1) < 0.3)
        #expect(degrees[0] < 3)
    }

    @Test("of one who walks exactly where it faces, sensors as they come find the front to a degree")
    func sensorsAlone() throws {
        let style = WalkStyle(wander: 0, looking: 0, facing: 0)
        var squares = 0.0
        for seed in 201...240 as ClosedRange<UInt64> {
            var walk = MountedWalk(.straightWalks(standSeconds: 4, metres: 10, style: style), seed: seed) {
                $0.inertialRate = 50
            }
            let error = try #require(walk.error(of: walk.run()))
            squares += error.y * error.y
        }
        #expect((squares / 40).squareRoot() < 1 * .pi / 180)
    }

    @Test(
        "straightening up slowly is not standing, whatever it takes", arguments: [2, 3, 4, 6, 9, 13, 20],
        [1, 2] as [UInt64])
    func straightening(seconds: Double, seed: UInt64) throws {
        let bent = Handling.turn(about: Vector3(1, 0, 0), by: -0.5, seconds: 1)
        let straightens = Handling.turn(about: Vector3(1, 0, 0), by: 0.5, seconds: seconds)
        try isFound(by: bent + straightens + .straightWalks(standSeconds: 6, metres: 10), seed: seed)
    }

    @Test("nor is turning slowly towards where one will walk", arguments: [4, 6, 9, 13, 20], [1, 2] as [UInt64])
    func turning(seconds: Double, seed: UInt64) throws {
        let turns = Handling.turn(about: Vector3(0, 1, 0), by: 0.7, seconds: seconds)
        try isFound(by: turns + .straightWalks(standSeconds: 6, metres: 10), seed: seed)
    }

    @Test("slow turns with stands between them are no stand together", arguments: [1, 2, 3] as [UInt64])
    func shortTurns(seed: UInt64) throws {
        var walk = MountedWalk(.straightWalks(standSeconds: 17, metres: 10), seed: seed)
        let up = walk.board.mount.inverse * Vector3(0, 1, 0)
        let result = walk.run { measurements in
            guard let start = measurements.first?.time else { return }
            for (index, measurement) in measurements.enumerated() {
                guard case .angularRate(var sample) = measurement else { continue }
                switch sample.time.seconds(since: start) {
                case 5..<7.1: sample.rate += 0.1 * up
                case 12.1..<14.2: sample.rate += 0.1 * up
                default: continue
                }
                measurements[index] = .angularRate(sample)
            }
        }
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect(try #require(walk.error(of: result)).norm < 5 * .pi / 180)
    }

    /// Whether one walk after other motion is enough, with an error within what is predicted.
    private func isFound(by handling: Handling, seed: UInt64) throws {
        var walk = MountedWalk(handling, seed: seed)
        let result = walk.run()
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        let error = try #require(walk.error(of: result))
        let heading = try #require(result.predictedHeadingError)
        let tilt = try #require(result.predictedTiltError)
        #expect(abs(error.y) < 3.5 * heading)
        #expect((error.x * error.x + error.z * error.z).squareRoot() < 3 * tilt)
    }

    @Test("more walks there and back make it better")
    func more() throws {
        var one = MountedWalk(.straightWalks(1, standSeconds: 4, metres: 10), seed: 3)
        var four = MountedWalk(.straightWalks(4, standSeconds: 4, metres: 10), seed: 3)
        let (first, last) = (
            try #require(one.run().predictedHeadingError), try #require(four.run().predictedHeadingError)
        )
        #expect(last < 0.75 * first)
    }

    @Test("a calibrated accelerometer makes the level ten times as good")
    func calibrated() throws {
        let errors = HandledErrors.typical(seed: 11)
        let time = BootTime(nanoseconds: 0)
        let present = [
            SensorCalibration(
                time: time, sensor: .accelerometer, correction: errors.accelerometer.correction,
                bias: errors.accelerometer.bias, biasStandardDeviation: Vector3(0.004, 0.004, 0.004)),
            SensorCalibration(
                time: time, sensor: .gyroscope, correction: errors.gyroscope.correction, bias: errors.gyroscope.bias),
        ]
        var walk = MountedWalk(seed: 11, settings: CalibrationSettings(present: present))
        let result = walk.run()
        let error = try #require(walk.error(of: result))
        #expect(result.verdict.isAccepted)
        #expect(try #require(result.predictedTiltError) < 0.3 * .pi / 180)
        #expect((error.x * error.x + error.z * error.z).squareRoot() < 0.4 * .pi / 180)
    }

    @Test("a walk whose end was not seen counts, with a larger error")
    func open() throws {
        var (squares, predicted) = (0.0, 0.0)
        for seed in 1...25 as ClosedRange<UInt64> {
            var walk = MountedWalk(seed: seed)
            let end = walk.board.start.nanoseconds + Int64((walk.board.seconds - 4.5) * 1e9)
            let result = walk.run { $0.removeAll { $0.time.nanoseconds > end } }
            #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
            #expect(result.verdict.reason.contains("stand still after it"))
            let (error, heading) = (try #require(walk.error(of: result)), try #require(result.predictedHeadingError))
            squares += error.y * error.y
            predicted += heading * heading
            let isComplete = walk.session.isComplete
            #expect(!isComplete)
        }
        #expect(squares < 1.7 * predicted)
    }

    @Test("a stop that is cut short still counts")
    func cutShort() throws {
        var walk = MountedWalk(seed: 9)
        let end = walk.board.start.nanoseconds + Int64((walk.board.seconds - 1) * 1e9)
        let result = walk.run { $0.removeAll { $0.time.nanoseconds > end } }
        #expect(result.verdict.isAccepted)
        let sawNoEnd = result.verdict.reason.contains("stand still after it")
        #expect(!sawNoEnd)
        let (error, heading) = (try #require(walk.error(of: result)), try #require(result.predictedHeadingError))
        #expect(abs(error.y) < 3 * heading)
        var whole = MountedWalk(seed: 9)
        let unshortened = try #require(whole.run().predictedHeadingError)
        #expect((0.8 * unshortened...1.2 * unshortened).contains(heading))
    }

    @Test("a pause of minutes without samples harms nothing")
    func pause() throws {
        var walk = MountedWalk(seed: 9)
        let start = walk.board.start.nanoseconds - 600_000_000_000
        let result = walk.run { measurements in
            let earlier: [Measurement] = (0..<200).flatMap { index in
                let time = BootTime(nanoseconds: start + 10_000_000 * Int64(index))
                return [
                    Measurement.specificForce(
                        SpecificForceSample(time: time, force: Vector3(0.01, 9, 1) * (1 + 0.001 * Double(index)))),
                    .angularRate(AngularRateSample(time: time, rate: Vector3(0.001, 0.002, 0.003) * Double(index))),
                ]
            }
            measurements = earlier + measurements
        }
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
    }

    @Test("one who walks on and on is calibrated by the beginning of the walk")
    func endless() throws {
        var walk = MountedWalk(.straightWalks(standSeconds: 4, metres: 90), seed: 12)
        let result = walk.run()
        let isComplete = walk.session.isComplete
        #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
        #expect(abs(try #require(walk.error(of: result)).y) < 2.5 * (try #require(result.predictedHeadingError)))
        #expect(!isComplete)
    }

    @Test("a board that is put on anew between two walks is calibrated as it sits last")
    func again() throws {
        let walks = Handling.straightWalks(standSeconds: 4, metres: 10)
        let roll = Handling.turn(about: Vector3(0, 0, 1), by: 0.5, seconds: 2)
        var walk = MountedWalk(walks + roll + walks, seed: 13)
        let result = walk.run()
        #expect(result.verdict.isAccepted)
        #expect(walk.session.walks.count == 1)
        // To the sensors it is the same whether the body turned under the board or the board on the body.
        let error = try #require(walk.error(of: result))
        #expect((error - Vector3(0, 0, 0.5)).norm < 0.12)
    }

    @Test("guides from standing over walking to the end")
    func guidance() {
        var walk = MountedWalk(seed: 4)
        var seen: [CalibrationProgress.Instruction] = []
        var fraction = 0.0
        #expect(walk.session.progress.instruction == .waitForSamples)
        for measurement in walk.board.measurements() {
            walk.session.feed(measurement)
            let progress = walk.session.progress
            if seen.last != progress.instruction { seen.append(progress.instruction) }
            #expect(progress.fraction >= 0 && progress.fraction <= 1)
            fraction = max(fraction, progress.fraction)
        }
        #expect(seen.filter { $0 != .waitForSamples } == [.holdStill, .walkStraight, .holdStill, .done])
        #expect(fraction == 1)
    }

    @Test("the residual is that of the direction second by second, and the one before is with the active mount")
    func residualBefore() throws {
        var first = MountedWalk(seed: 6)
        let found = try #require(first.run().fits.first).correction
        let off = Rotation3.about(Vector3(0, 1, 0), by: 0.2).matrix * found
        let present = [SensorCalibration(time: BootTime(nanoseconds: 0), sensor: .mount, correction: off)]
        var again = MountedWalk(seed: 6, settings: CalibrationSettings(present: present))
        let result = again.run()
        let (before, residual) = (try #require(result.residualRMSBefore), try #require(result.residualRMS))
        #expect(abs(before * before - residual * residual - 0.2 * 0.2) < 1e-3)
        #expect(residual > 0.005 && residual < 0.1)
    }
}

@Suite("Mount: recorded walks", .enabled(if: RecordedTable.has("walk_rtk/imu.csv.gz")))
struct MountRecordedTests {
    /// None of them was made to calibrate by: held in the hand, taken up from a table, round corners, never still.
    static let recordings: [(name: String, refusal: CalibrationVerdict.Refusal)] = [
        ("walk_rtk", .noStraightWalk), ("walk_ethz_phone", .noStraightWalk), ("walk_hallway_loop", .moved),
        ("indoor20_site1_B1_5dda257f9191710006b572b5", .moved), ("indoor20_site2_B1_5dd506bed48f840006f14820", .moved),
    ]

    @Test("walks that were not made for a calibration are refused", arguments: recordings.map(\.name))
    func refused(name: String) throws {
        let expected = try #require(Self.recordings.first { $0.name == name }).refusal
        var session = MountSession(settings: CalibrationSettings())
        for measurement in try RecordedTable(name + "/imu.csv.gz").inertialMeasurements() { session.feed(measurement) }
        let result = session.result()
        #expect(result.verdict.refusal == expected, "\(result.verdict.reason)")
    }
}
