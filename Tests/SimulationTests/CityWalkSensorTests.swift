import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("City walk: sensors")
struct CityWalkSensorTests {
    @Test("without errors every sensor reads the truth", arguments: CityMotion.allCases)
    func sensorsReadTheTruth(motion: CityMotion) throws {
        var walk = try makeWalk { $0.motion = motion }
        let measurements = walk.read(seconds: 60)
        // Of the slowest, the fixes, there is one a second.
        #expect(measurements.count > 24_000 && measurements.count { if case .fix = $0 { true } else { false } } > 50)
        for measurement in measurements {
            let truth = walk.truth(at: measurement.time)
            switch measurement {
            case .specificForce(let sample): #expect(sample.force == truth.specificForceInBody)
            case .angularRate(let sample): #expect(sample.rate == truth.angularRateInBody)
            case .magneticField(let sample):
                let field = truth.rotationENUFromBody * sample.field
                // Two rotations of 50 µT.
                #expect((field - walk.magneticFieldENU).norm < 1e-12)
            case .pressure(let sample):
                // The standard atmosphere's table has 966.11 hPa at 400 m and 954.61 hPa at 500 m. 0.12 hPa is a metre.
                let share = (truth.position.ellipsoidalHeight - 400) / 100
                #expect(abs(sample.pressureHectopascal - 966.11 * pow(954.61 / 966.11, share)) < 0.02)
            case .fix(let fix):
                #expect(Geodesic(from: fix.position, to: truth.position).distance < 1e-8)
                #expect(abs(fix.position.ellipsoidalHeight - truth.position.ellipsoidalHeight) < 1e-8)
                #expect(fix.velocityENU.east == truth.velocityENU.x)
                #expect(fix.velocityENU.north == truth.velocityENU.y)
                #expect(fix.velocityENU.up == truth.velocityENU.z)
            case .aid, .clock, .calibration: Issue.record("not what a sensor of the walk says: \(measurement)")
            }
        }
    }

    @Test("the magnetic field is the model's")
    func magneticField() throws {
        let walk = try makeWalk()
        let settings = CityWalkSettings()
        let year = try #require(DecimalYear.of(utcSeconds: settings.startUTCSeconds))
        let field = try #require(WorldMagneticModel.wmm2025.field(at: settings.origin, decimalYear: year))
        #expect((walk.magneticFieldENU - field.fluxDensityENU * 1e-3).norm < 1e-12)
        #expect(abs(walk.magneticFieldENU.norm - 48.7) < 0.5, "Zurich has 48.7 µT")
    }

    @Test("rates, stamps and the order of arrival")
    func order() throws {
        let start = BootTime(nanoseconds: 123_456_789_012)
        var walk = try makeWalk(errors: .typical, start: start)
        let measurements = walk.read(seconds: 60)
        var counts = (force: 0, rate: 0, field: 0, pressure: 0, fix: 0)
        var arrival = start
        for (index, measurement) in measurements.enumerated() {
            #expect(measurement.arrival >= arrival)
            arrival = measurement.arrival
            switch measurement {
            case .specificForce(let sample):
                #expect(sample.time.nanoseconds == start.nanoseconds + Int64(counts.force) * 5_000_000)
                counts.force += 1
            case .angularRate(let sample):
                guard case .specificForce(let force) = measurements[index - 1] else {
                    Issue.record("an angular rate follows the specific force of its instant")
                    continue
                }
                #expect(force.time == sample.time)
                counts.rate += 1
            case .magneticField: counts.field += 1
            case .pressure: counts.pressure += 1
            case .fix(let fix):
                let delay = fix.arrival.seconds(since: fix.epoch)
                #expect(delay >= 0.15 && delay <= 0.35)
                #expect(fix.epoch.nanoseconds - start.nanoseconds == Int64(2 + counts.fix) * 1_000_000_000)
                #expect(fix.utcSeconds == CityWalkSettings().startUTCSeconds + Double(2 + counts.fix))
                counts.fix += 1
            case .aid, .clock, .calibration: Issue.record("not what a sensor of the walk says: \(measurement)")
            }
        }
        #expect(counts.force == 12_001)
        #expect((12_000...12_001).contains(counts.rate))
        #expect(counts.field == 3000)
        #expect(counts.pressure == 600)
        #expect(counts.fix == 58)
    }

    @Test("a rate that does not divide a second does not drift")
    func oddRate() throws {
        var walk = try makeWalk(start: BootTime(nanoseconds: 0)) {
            $0.inertialRate = 104
            $0.magneticRate = 0
            $0.pressureRate = 0
            $0.fixRate = 0
        }
        var last = BootTime(nanoseconds: 0)
        for _ in 0...(104 * 600) {
            last = walk.next().time
            _ = walk.next()
        }
        #expect(last.nanoseconds == 600_000_000_000)
    }

    @Test("the same seed gives the same measurements, another seed others")
    func seeded() throws {
        var first = try makeWalk(seed: 9, errors: .typical)
        var second = try makeWalk(seed: 9, errors: .typical)
        var other = try makeWalk(seed: 10, errors: .typical)
        let measurements = first.read(seconds: 40)
        #expect(measurements == second.read(seconds: 40))
        #expect(measurements != other.read(seconds: 40))
    }

    @Test("another start shifts the stamps and nothing else")
    func start() throws {
        var early = try makeWalk(errors: .typical, start: BootTime(nanoseconds: 0))
        var late = try makeWalk(errors: .typical, start: BootTime(nanoseconds: 86_400_000_000_007))
        for _ in 0..<20_000 {
            switch (early.next(), late.next()) {
            case (.specificForce(let a), .specificForce(let b)):
                #expect(a.force == b.force && b.time.nanoseconds - a.time.nanoseconds == 86_400_000_000_007)
            case (.angularRate(let a), .angularRate(let b)): #expect(a.rate == b.rate)
            case (.magneticField(let a), .magneticField(let b)): #expect(a.field == b.field)
            case (.pressure(let a), .pressure(let b)):
                #expect(a == PressureSample(time: a.time, pressureHectopascal: b.pressureHectopascal))
            case (.fix(let a), .fix(let b)): #expect(a.position == b.position && a.velocityENU == b.velocityENU)
            default: Issue.record("another order")
            }
        }
    }

    @Test("one sensor's rate leaves the others' errors alone")
    func independentStreams() throws {
        var slow = try makeWalk(errors: .typical) { $0.magneticRate = 10 }
        var fast = try makeWalk(errors: .typical) { $0.magneticRate = 100 }
        func fixes(_ walk: inout CityWalk) -> [Measurement] {
            walk.read(seconds: 30).filter { if case .fix = $0 { true } else { false } }
        }
        #expect(fixes(&slow) == fixes(&fast))
    }

    @Test("white noise and turn-on bias are as large as the settings say")
    func inertialErrors() throws {
        var errors = SensorErrors.none
        errors.gyroscope.noiseDensity = 1e-4
        errors.accelerometer.turnOnBias = 0.03
        var biasSquare = 0.0
        for seed in 0..<100 as Range<UInt64> {
            var walk = try makeWalk(seed: seed, errors: errors)
            guard case .specificForce(let sample) = walk.next() else { throw Unexpected() }
            biasSquare += (sample.force - walk.truth(at: sample.time).specificForceInBody).squaredNorm / 300
        }
        // A variance from 300 deviates is good to √(2/300) = 8 %; four of them.
        #expect(abs(biasSquare / (0.03 * 0.03) - 1) < 0.33)

        var walk = try makeWalk(errors: errors)
        var noiseSquare = 0.0
        var count = 0.0
        for measurement in walk.read(seconds: 30) {
            guard case .angularRate(let sample) = measurement else { continue }
            noiseSquare += (sample.rate - walk.truth(at: sample.time).angularRateInBody).squaredNorm
            count += 3
        }
        // 1e-4 rad/s/√Hz at 200 Hz; 18 000 deviates are good to 1 %; four of them.
        #expect(abs(noiseSquare / count / (1e-8 * 200) - 1) < 0.042)
    }

    @Test("a constant bias is as large as the settings say, and no axis is free of it")
    func constantBias() throws {
        var errors = SensorErrors.none
        errors.gyroscope.constantBias = 0.08
        var walk = try makeWalk(errors: errors)
        for measurement in walk.read(seconds: 2) {
            guard case .angularRate(let sample) = measurement else { continue }
            let bias = sample.rate - walk.truth(at: sample.time).angularRateInBody
            #expect((bias.norm - 0.08).magnitude < 1e-6)
            #expect(min(bias.x.magnitude, bias.y.magnitude, bias.z.magnitude) > 0.02)
        }
    }

    struct Unexpected: Error {}

    @Test("magnetic disturbances come and go, with quiet between them")
    func disturbances() throws {
        var errors = SensorErrors.none
        errors.magnetometer.disturbance = 8
        var walk = try makeWalk(errors: errors)
        var quiet = 0
        var disturbed = 0
        var worst = 0.0
        for measurement in walk.read(seconds: 900) {
            guard case .magneticField(let sample) = measurement else { continue }
            let field = walk.truth(at: sample.time).rotationENUFromBody * sample.field
            let error = (field - walk.magneticFieldENU).norm
            if error < 1e-9 { quiet += 1 } else { disturbed += 1 }
            worst = max(worst, error)
        }
        #expect(quiet > 10 * 50 && disturbed > 10 * 50)
        #expect(worst > 4 && worst < 40, "µT, three axes of 8")
    }

    @Test("no walk where the magnetic model does not reach")
    func outOfReach() {
        var settings = CityWalkSettings()
        settings.startUTCSeconds = 0
        let walk = CityWalk(
            settings: settings, start: BootTime(nanoseconds: 0), magneticModel: WorldMagneticModel.wmm2025)
        #expect(walk == nil)
    }
}
