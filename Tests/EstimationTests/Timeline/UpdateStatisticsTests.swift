import Estimation
import EstimatorFixtures
import Geometry
import Model
import Engine
import Simulation
import Testing

@Suite("Statistics of the updates")
struct UpdateStatisticsTests {
    typealias Measurement = Model.Measurement

    /// Statistics at the end of a sequence of measurements, in order of arrival.
    private func statistics(_ measurements: [Measurement], _ settings: EstimatorSettings) -> UpdateStatistics {
        var odometry = Odometry(settings: settings)
        for measurement in measurements { odometry.feed(measurement) { _ in } }
        return odometry.updates
    }

    /// Simulated walk through a city; the fixes come `delay` seconds late.
    private func cityWalk(
        seconds: Double, _ settings: CityWalkSettings, delay: Double = 0
    ) throws -> [Measurement] {
        var settings = settings
        settings.errors.gnss.delaySeconds = delay...delay
        var walk = try #require(
            CityWalk(settings: settings, start: Fixture.start, magneticModel: WorldMagneticModel.wmm2025))
        var measurements: [Measurement] = []
        while (measurements.last?.time.seconds(since: Fixture.start) ?? 0) < seconds {
            measurements.append(walk.next())
        }
        return measurements
    }

    private func fixes(_ measurements: [Measurement]) -> UInt64 {
        measurements.reduce(0) { if case .fix = $1 { $0 + 1 } else { $0 } }
    }

    private func total(_ tally: UpdateTally) -> UInt64 { tally.applied + tally.refused }

    @Test("with the receiver's true noise the innovation ratio of fixes is near 1", arguments: UInt64(1)...3)
    func consistent(seed: UInt64) throws {
        let settings = ConsistencyTests.matchedWalk(seed)
        let walk = try cityWalk(seconds: 180, settings)
            .map { WalkErrors.asMeans($0, rate: settings.inertialRate) }
        let found = statistics(walk, ConsistencyTests.matchedSettings)
        // Of a hundred and more independent squares of three degrees of freedom: four standard deviations of 0.08.
        for kind in [UpdateKind.gnssPosition, .gnssVelocity] {
            let ratio = try #require(found[kind].innovationRatio)
            #expect((0.67...1.33).contains(ratio), "\(kind)")
        }
        #expect(total(found[.gnssPosition]) >= 170)
    }

    @Test("a receiver that reports half of its error has a ratio far above 1")
    func overOptimistic() throws {
        let walk = try cityWalk(seconds: 180, ConsistencyTests.matchedWalk(1)).map { measurement in
            guard case .fix(var fix) = measurement else { return measurement }
            let sigma = fix.positionSigma
            fix.positionSigma = .init(
                east: sigma.east.map { $0 / 2 }, north: sigma.north.map { $0 / 2 }, up: sigma.up.map { $0 / 2 })
            return .fix(fix)
        }
        let found = statistics(walk, ConsistencyTests.matchedSettings)
        #expect(try #require(found[.gnssPosition].innovationRatio) > 2)
    }

    @Test("fixes with a jump are counted as down-weighted, others are not, and each is counted once")
    func jump() throws {
        let walk = Walk(seconds: 60)
        func statistics(jumping: ClosedRange<Double>?) -> UpdateStatistics {
            var odometry = Walk.odometry()
            for var measurement in walk.measurements() {
                if case .fix(var fix) = measurement, jumping?.contains(fix.epoch.seconds(since: Fixture.start)) == true
                {
                    let here = Walk.plane.pointENU(of: fix.position)
                    fix.position = Walk.plane.position(ofENU: here + Vector3(200, 0, 0)) ?? fix.position
                    measurement = .fix(fix)
                }
                odometry.feed(measurement) { _ in }
            }
            return odometry.updates
        }
        let usual = statistics(jumping: nil)[.gnssPosition]
        let jumping = statistics(jumping: 40...42)[.gnssPosition]
        #expect(usual.downWeighted == 0 && usual.refused == 0)
        #expect(jumping.downWeighted >= 2)
        #expect(total(jumping) == total(usual))
        #expect(try #require(jumping.innovationRatio) > (try #require(usual.innovationRatio)))
    }

    @Test("each fix is counted once, however late it comes and whatever comes after it", arguments: UInt64(1)...3)
    func late(shuffle: UInt64) {
        var random = Seeded(shuffle)
        var timed: [(arrival: Double, order: Int, measurement: Measurement)] = []
        var count: UInt64 = 0
        for (order, measurement) in Walk(seconds: 40).measurements().enumerated() {
            var arrival = measurement.time.seconds(since: Fixture.start)
            // Fixes come up to 2 s late, in any order; those before the first sample and of the last seconds are left
            // out.
            if case .fix(let fix) = measurement {
                guard (1..<36).contains(fix.epoch.seconds(since: Fixture.start)) else { continue }
                arrival += Double.random(in: 0...2, using: &random)
                count += 1
            }
            timed.append((arrival, order, measurement))
        }
        var odometry = Walk.odometry()
        var fed: UInt64 = 0
        for (_, _, measurement) in timed.sorted(by: { ($0.arrival, $0.order) < ($1.arrival, $1.order) }) {
            odometry.feed(measurement) { _ in }
            if case .fix = measurement { fed += 1 }
            // It is applied with the next inertial sample.
            #expect(total(odometry.updates[.gnssPosition]) <= fed)
        }
        #expect(total(odometry.updates[.gnssPosition]) == count)
        // A single fix, as the first one is, shows a place and no motion.
        #expect(total(odometry.updates[.gnssVelocity]) == count - 1)
    }

    @Test("what is applied again for a late fix is not counted again", arguments: [UInt64(4), 5])
    func repetition(seed: UInt64) throws {
        let settings = CityWalkSettings(seed: seed)
        let inTime = statistics(try cityWalk(seconds: 120, settings), EstimatorSettings())
        let late = statistics(try cityWalk(seconds: 120, settings, delay: 0.4), EstimatorSettings())
        for kind in UpdateKind.allCases where ![.camera, .aid].contains(kind) {
            let (one, other) = (Double(total(inTime[kind])), Double(total(late[kind])))
            #expect(one > 0, "\(kind)")
            // Counted again with each fix there would be 40 % more. Decisions before a fix has come may differ from
            // those after it.
            #expect(abs(other - one) <= max(2, 0.1 * one), "\(kind): \(one) in time, \(other) late")
        }
    }

    @Test("a hypothesis that becomes the primary filter leaves the counts alone")
    func hypotheses() throws {
        var settings = CityWalkSettings(seed: 32)
        settings.magneticRate = 0
        let walk = try cityWalk(seconds: 120, settings, delay: 0.3)
        var odometry = Odometry(settings: EstimatorSettings())
        var (wasOpen, isSettled) = (false, false)
        for measurement in walk {
            odometry.feed(measurement) { _ in }
            guard let heading = odometry.filter?.heading else { continue }
            if heading.isSettled { isSettled = true } else { wasOpen = true }
        }
        #expect(wasOpen && isSettled)
        let count = fixes(walk)
        // The first may come before the first sample, and the last has none after it.
        #expect((count - 2...count).contains(total(odometry.updates[.gnssPosition])))
        #expect(total(odometry.updates[.magnetometer]) == 0)
    }

    @Test("the counts never decrease, also over a lost frame and a clock that is set back")
    func breaks() {
        let walk = Walk(seconds: 20).measurements()
        // Longer than attitude and frame last without samples.
        let broken = walk.filter { !(8..<12).contains($0.time.seconds(since: Fixture.start)) }
        var odometry = Walk.odometry()
        var before = odometry.updates
        var generation: UInt32 = 0
        for measurement in broken + walk {
            odometry.feed(measurement) { if let pose = $0.pose { generation = pose.generation } }
            let now = odometry.updates
            for kind in UpdateKind.allCases {
                #expect(now[kind].applied >= before[kind].applied && now[kind].refused >= before[kind].refused)
            }
            before = now
        }
        #expect(generation >= 3)
        #expect(odometry.counters.clockSteps == 1)
        // 16 fixes with samples around them, and 20 after the clock was set back, of which the first may come too
        // early.
        #expect((32...36).contains(total(before[.gnssPosition])))
    }
}
