import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Testing

@Suite("Monitor of the axes")
struct HeadingMonitorTests {
    /// Pairs of a walk that turns a corner every ten seconds, seen in a frame turned by an angle in the end, and that
    /// drifts at a constant rate of the given deviation.
    private func makeMonitor(
        turn: Double, count: Int, noise: Double = 0.1, outliers: Bool = false, known: Double? = 0, drift: Double = 0,
        seed: UInt64 = 1
    ) -> HeadingMonitor {
        var random = Seeded(seed)
        var drifts = Seeded(seed + 1000)
        let rate = drifts.vector(drift).x
        var monitor = HeadingMonitor()
        var before = Vector3.zero
        var heard = Vector3.zero
        for k in 1...count {
            let course = Double(k / 10) * 1.2
            let velocity = Vector3(1.3 * sin(course), 1.3 * cos(course), 0)
            var measured = velocity + random.vector(noise)
            if outliers, k % 6 == 0 { measured += Vector3(2, -1, 0) }
            monitor.add(
                MotionPair(
                    time: Fixture.time(Double(k)), interval: 1,
                    inertialChange: Rotation3.aboutZ(rate * Double(count - k) - turn) * (velocity - before),
                    receiverChange: measured - heard, standardDeviation: noise, yaw: known, drift: drift))
            before = velocity
            heard = measured
        }
        return monitor
    }

    @Test("it finds the angle between inertial and receiver velocity changes", arguments: [0.0, 0.4, -1.7, 3.1])
    func findsTurn(turn: Double) throws {
        let monitor = makeMonitor(turn: turn, count: 120)
        let reading = try #require(monitor.read(upTo: Fixture.time(200)))
        #expect(abs(Angle.wrapped(try #require(reading.correction) - turn)) < 2 * reading.standardDeviation)
        #expect(reading.standardDeviation < 0.06)
        #expect(reading.pairs == 120)
        #expect(reading.time == Fixture.time(120))
    }

    @Test("its deviation is that of its errors, also where the gyroscope drifts", arguments: [0.0, 0.003, 0.01, 0.04])
    func standardDeviationIsConsistent(drift: Double) throws {
        var sum = 0.0
        for seed in 1...60 as ClosedRange<UInt64> {
            let monitor = makeMonitor(turn: 1, count: 60, drift: drift, seed: seed)
            let reading = try #require(monitor.read(upTo: Fixture.time(200)))
            let error = Angle.wrapped(reading.yaw - 1) / reading.standardDeviation
            sum += error * error
        }
        // 60 squares of one degree of freedom: 1 ± 0.18; cautious is allowed.
        #expect((0.2...1.4).contains(sum / 60), "\(sum / 60)")
    }

    @Test("one fix in six that is wrong hardly moves it")
    func outliers() throws {
        let monitor = makeMonitor(turn: 0.4, count: 140, outliers: true)
        let reading = try #require(monitor.read(upTo: Fixture.time(200)))
        #expect(abs(reading.yaw - 0.4) < 0.1)
    }

    @Test("a motion without changes gives no answer, and a few pairs neither")
    func givesNoAnswer() {
        let few = makeMonitor(turn: 0, count: 4)
        #expect(few.read(upTo: Fixture.time(200)) == nil)
        var still = HeadingMonitor()
        var random = Seeded(3)
        for k in 1...100 {
            still.add(
                MotionPair(
                    time: Fixture.time(Double(k)), interval: 1, inertialChange: .zero,
                    receiverChange: random.vector(0.2), standardDeviation: 0.1, yaw: 0, drift: 0))
        }
        #expect(still.read(upTo: Fixture.time(200)) == nil)
    }

    @Test("only the last minutes count")
    func window() throws {
        let monitor = makeMonitor(turn: 0, count: 200)
        #expect(try #require(monitor.read(upTo: Fixture.time(200))).pairs == 151)
    }

    @Test("without a yaw of the filter there is nothing to correct")
    func unknownYaw() throws {
        let monitor = makeMonitor(turn: 0.4, count: 100, known: nil)
        #expect(try #require(monitor.read(upTo: Fixture.time(200))).correction == nil)
    }

    @Test("a settled filter that looks the wrong way is put right", arguments: [30.0, 90, 180])
    func repairs(degrees: Double) throws {
        let walk = Walk(seconds: 100, velocityNoise: 0.1, hasMagnetometer: false, pace: 2.5)
        let error = Angle.radians(degrees: degrees)
        var random = Seeded(5)
        func sample(_ t: Double) -> InertialSample {
            InertialSample(time: Fixture.time(t), rate: walk.angularRate(t), force: walk.force(t))
        }
        let truth = walk.truth(0)
        var filter = ErrorStateKalmanFilter(first: sample(0), settings: EstimatorSettings())
        filter.state.rotationENUFromBody = Rotation3.aboutZ(error) * truth.rotationENUFromBody
        filter.resetCovariance(ErrorState.yaw, count: 1, variance: 1e-4)
        filter.heading.status = .settled(.geographic)
        var timeline = FilterTimeline(filter)
        var worst = 0.0
        var worstAtLast = 0.0
        for k in 1..<10_000 {
            let t = Double(k) / 100
            _ = timeline.step(sample(t))
            if k % 100 == 50 {
                let fix = walk.fix(t, &random)
                let velocity = Vector3(
                    try #require(fix.velocityENU.east), try #require(fix.velocityENU.north),
                    try #require(fix.velocityENU.up))
                _ = timeline.insert(
                    LocalFix(
                        time: fix.epoch, position: Walk.plane.pointENU(of: fix.position), hasHeight: true,
                        positionStandardDeviation: Vector3(1, 1, 1), velocity: velocity, hasVerticalVelocity: true,
                        velocityStandardDeviation: 0.1, antennaInBody: .zero, site: Walk.site))
            }
            guard t > 60 else { continue }
            let now = timeline.filter.state.rotationENUFromBody
            let off = abs((now * walk.truth(t).rotationENUFromBody.inverse).yawAboutZ)
            worst = max(worst, off)
            if t > 85 { worstAtLast = max(worstAtLast, off) }
        }
        #expect(Angle.degrees(radians: worst) < 10)
        #expect(Angle.degrees(radians: worstAtLast) < 5)
    }
}
