import BoardHandling
import Estimation
import EstimatorFixtures
import Geometry
import Glibc
import Model
import Engine
import Simulation
import Testing

/// The check of the heading on simulated walks through a city, with exact truth.
@Suite("Heading check on walks")
struct HeadingCheckWalkTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)
    private static let rate = 100

    /// What one walk's readings were like.
    private struct Outcome {
        /// Normalised squared errors of the readings.
        var squares: [Double] = []
        /// Readings that contradicted the filter.
        var contradictions = 0
    }

    private static func makeWalk(seed: UInt64, _ change: (inout CityWalkSettings) -> Void) throws -> CityWalk {
        var settings = CityWalkSettings(seed: seed)
        settings.inertialRate = rate
        settings.magneticRate = 25
        settings.pressureRate = 0
        change(&settings)
        return try #require(CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025))
    }

    /// - Parameters:
    ///   - hasVelocity: whether the receiver measures velocities.
    ///   - mount: how the board is turned about the vertical against the direction of walking. Unit: radians.
    private static func outcome(
        seed: UInt64, hasVelocity: Bool, gnss: SensorErrors.GNSS = .typical, mount: Double = 0, seconds: Double = 300
    ) throws -> Outcome {
        var walk = try makeWalk(seed: seed) { $0.errors.gnss = gnss }
        var odometry = Odometry(settings: .calibrated)
        let turn = Rotation3.exp(Vector3(0, mount, 0))
        var outcome = Outcome()
        var last: BootTime?
        while true {
            var newest: PoseEstimate?
            let measurement = worn(WalkErrors.asMeans(walk.next(), rate: rate), turn, hasVelocity: hasVelocity)
            odometry.feed(measurement) { if let pose = $0.pose { newest = pose } }
            guard let newest else { continue }
            guard newest.time.seconds(since: start) < seconds else { return outcome }
            guard let filter = odometry.filter, let reading = odometry.headingMonitor, reading.time != last else {
                continue
            }
            last = reading.time
            let truth = walk.truth(at: newest.time).rotationENUFromBody * turn.inverse
            let off = (truth * newest.rotationENUFromBody.inverse).yawAboutZ
            let error = Angle.wrapped(reading.yaw - filter.heading.motion.yaw - off) / reading.standardDeviation
            outcome.squares.append(error * error)
            if let correction = reading.correction, reading.contradicts(reading.yaw - correction) {
                outcome.contradictions += 1
            }
        }
    }

    private static func worn(_ measurement: Measurement, _ turn: Rotation3, hasVelocity: Bool) -> Measurement {
        switch measurement {
        case .fix(var fix):
            if !hasVelocity {
                fix.velocityENU = .init(east: nil, north: nil, up: nil)
                fix.velocitySigma = nil
            }
            return .fix(fix)
        case .angularRate(var sample):
            sample.rate = turn * sample.rate
            return .angularRate(sample)
        case .specificForce(var sample):
            sample.force = turn * sample.force
            return .specificForce(sample)
        case .magneticField(var sample):
            sample.field = turn * sample.field
            return .magneticField(sample)
        default: return measurement
        }
    }

    private func expectConsistent(_ gnss: SensorErrors.GNSS, hasVelocity: Bool) throws {
        var all = Outcome()
        for seed in 1...12 as ClosedRange<UInt64> {
            let one = try Self.outcome(seed: seed, hasVelocity: hasVelocity, gnss: gnss)
            all.squares += one.squares
            all.contradictions += one.contradictions
        }
        try #require(all.squares.count > 200)
        let mean = all.squares.reduce(0, +) / Double(all.squares.count)
        // Readings of one walk overlap: no bounds of the χ² law, but errors no larger than promised.
        #expect(mean < 1.5, "\(mean)")
        #expect(all.contradictions == 0)
    }

    @Test("its deviation is that of its errors, and a right heading is never put in doubt", arguments: [true, false])
    func consistent(hasVelocity: Bool) throws { try expectConsistent(.typical, hasVelocity: hasVelocity) }

    @Test("so with a receiver that is worse than it reports")
    func consistentWithPoorReceivers() throws {
        try expectConsistent(.understated(by: 2), hasVelocity: false)
        try expectConsistent(.longLasting, hasVelocity: false)
        try expectConsistent(.wanderingVelocity, hasVelocity: true)
    }

    @Test("a board not worn forwards puts no heading in doubt", arguments: [45.0, 90, 135, 180], [true, false])
    func mounts(degrees: Double, hasVelocity: Bool) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let mount = Angle.radians(degrees: degrees)
            let outcome = try Self.outcome(seed: seed, hasVelocity: hasVelocity, mount: mount)
            #expect(outcome.contradictions == 0, "seed \(seed)")
        }
    }

    /// A filter that is sure of a wrong yaw follows fixes that bring positions alone.
    ///
    /// - Returns: the filter's error and standard deviation of the yaw, each ten seconds. Unit: radians.
    private func follow(seed: UInt64, wrong: Double) throws -> [(
        seconds: Double, error: Double, standardDeviation: Double
    )] {
        var walk = try Self.makeWalk(seed: seed) { settings in
            settings.magneticRate = 0
            settings.openingSeconds = 1
            settings.firstFixSeconds = 1
        }
        var localizer = FixLocalizer(model: nil)
        var timeline: FilterTimeline?
        var force: SpecificForceSample?
        var found: [(seconds: Double, error: Double, standardDeviation: Double)] = []
        while true {
            let measurement = Self.worn(
                WalkErrors.asMeans(walk.next(), rate: Self.rate), .identity, hasVelocity: false)
            switch measurement {
            case .specificForce(let sample): force = sample
            case .angularRate(let rate):
                guard let force, force.time == rate.time else { continue }
                let sample = InertialSample(time: rate.time, rate: rate.rate, force: force.force)
                let truth = walk.truth(at: rate.time).rotationENUFromBody
                _ = timeline?.step(sample)
                let filter = timeline?.filter ?? settled(sample, Rotation3.aboutZ(wrong) * truth)
                if timeline == nil { timeline = FilterTimeline(filter) }
                let seconds = rate.time.seconds(since: Self.start)
                guard seconds < 240 else { return found }
                guard seconds >= Double(found.count + 1) * 10 else { continue }
                let error = (filter.state.rotationENUFromBody * truth.inverse).yawAboutZ
                found.append((seconds, error, filter.standardDeviation(ErrorState.yaw)))
            case .fix(let fix):
                guard let fix = localizer.localize(fix) else { continue }
                _ = timeline?.insert(fix)
            default: break
            }
        }
    }

    private func settled(_ sample: InertialSample, _ rotation: Rotation3) -> ErrorStateKalmanFilter {
        var settings = EstimatorSettings()
        settings.initial.gyroBiasStandardDeviation = 0.004
        var filter = ErrorStateKalmanFilter(first: sample, settings: settings)
        filter.state.rotationENUFromBody = rotation
        filter.resetCovariance(ErrorState.yaw, count: 1, variance: 1e-4)
        filter.heading.status = .settled(.geographic)
        return filter
    }

    @Test("a wrong heading is found by the way alone, and then as uncertain as it is", arguments: [3, 4] as [UInt64])
    func wrongHeading(seed: UInt64) throws {
        let found = try follow(seed: seed, wrong: .pi / 2)
        // Sure and wrong until the way has shown it.
        #expect(try #require(found.first).standardDeviation < 0.15)
        for moment in found where moment.seconds > 85 {
            #expect(abs(moment.error) < 3 * moment.standardDeviation, "\(moment)")
        }
        #expect(found.contains { $0.standardDeviation > 0.3 })
        #expect(abs(try #require(found.last).error) < Angle.radians(degrees: 25))
    }
}
