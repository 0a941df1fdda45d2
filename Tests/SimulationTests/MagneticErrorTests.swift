import BoardHandling
import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("City walk: the magnetic world")
struct MagneticErrorTests {
    private struct Reading {
        var seconds: Double
        /// What is in the field besides the earth's. Frame: ENU. Unit: microtesla.
        var anomaly: Vector3
        var speed: Double
    }

    /// What the magnetometer reads, turned back by the true attitude.
    private func readings(
        seed: UInt64 = 1, seconds: Double, motion: CityMotion = .walk, change: (inout SensorErrors.Magnetic) -> Void
    ) throws -> [Reading] {
        var errors = SensorErrors.none
        change(&errors.magnetometer)
        var walk = try makeWalk(seed: seed, errors: errors) {
            $0.motion = motion
            $0.inertialRate = 1
            $0.pressureRate = 0
            $0.fixRate = 0
        }
        let start = walk.next().time
        return walk.read(seconds: seconds).compactMap { measurement in
            guard case .magneticField(let sample) = measurement else { return nil }
            let truth = walk.truth(at: sample.time)
            return Reading(
                seconds: sample.time.seconds(since: start),
                anomaly: truth.rotationENUFromBody * sample.field - walk.magneticFieldENU,
                speed: truth.velocityENU.norm)
        }
    }

    @Test("the street's iron changes smoothly while walking, and not at all while standing")
    func streetIron() throws {
        let readings = try readings(seed: 2, seconds: 800) { $0.streetIron = 1.2 }
        let steps = zip(readings, readings.dropFirst())
        // A standing body sways at 2 mm/s; the way is the street's, and does not.
        let standing = steps.filter { $0.speed < 0.002 && $1.speed < 0.002 }
        #expect(standing.count > 20 * 50)
        // A step may begin within 0.02 s: 0.04 mm.
        #expect(standing.allSatisfy { ($1.anomaly - $0.anomaly).norm < 1e-4 })
        #expect(steps.prefix(17 * 50).allSatisfy { ($1.anomaly - $0.anomaly).norm < 1e-9 })
        let walking = steps.filter { $0.speed > 0.8 && $1.speed > 0.8 }.map { ($1.anomaly - $0.anomaly).norm }
        #expect(walking.count > 400 * 50)
        // 1.5 m/s for 0.02 s at up to 1.2 µT/m.
        #expect(try #require(walking.max()) < 0.036)
        let square = readings.reduce(0) { $0 + $1.anomaly.squaredNorm } / Double(3 * readings.count)
        // One street of 860 m holds about 17 independent places: √(2/51) = 20 %; three of them.
        #expect(abs(square / (1.2 * 1.2) - 1) < 0.6)
    }

    @Test("the next round meets the same iron")
    func sameStreet() throws {
        let walk = try makeWalk(seed: 2)
        let count = Int(walk.roundSeconds * 50)
        let readings = try readings(seed: 2, seconds: 2 * walk.roundSeconds + 30) { $0.streetIron = 1.2 }
        for index in stride(from: 25 * 50, to: count, by: 50) {
            // A sample is at most 0.02 s off: 3 cm at up to 1.2 µT/m.
            #expect((readings[index + count].anomaly - readings[index].anomaly).norm < 0.04)
        }
    }

    @Test("who sits meets nothing new")
    func seated() throws {
        let readings = try readings(seconds: 120, motion: .sit) { $0.streetIron = 1.2 }
        let first = readings[0].anomaly
        #expect(first.norm > 0.1)
        #expect(readings.allSatisfy { ($0.anomaly - first).norm < 1e-9 })
    }

    @Test(
        "a compass mounted off turns the horizontal field by exactly the angle, clockwise", arguments: [-90.0, 5, 180])
    func exactTurn(degrees: Double) throws {
        let turn = degrees * .pi / 180
        let earth = try makeWalk().magneticFieldENU
        for reading in try readings(seconds: 60, change: { $0.fieldTurn = .exactly(turn) }) {
            let field = earth + reading.anomaly
            #expect(abs(field.z - earth.z) < 1e-9)
            let turned = atan2(field.x, field.y) - atan2(earth.x, earth.y) - turn
            #expect(abs(turned - 2 * .pi * (turned / (2 * .pi)).rounded()) < 1e-9)
            #expect(abs(field.norm - earth.norm) < 1e-9)
        }
    }

    @Test(
        "axes turned about the body's up axis show the field turned by exactly that, and a heading that is too large by it",
        arguments: [-180.0, -37, 0, 5, 90])
    func turnedAxes(degrees: Double) throws {
        func fields(_ degrees: Double) throws -> [Vector3] {
            var errors = SensorErrors.typical
            errors.magnetometer.axisTurn = degrees * .pi / 180
            errors.magnetometer.noise = 0
            errors.magnetometer.hardIron = 0
            var walk = try makeWalk(seed: 3, errors: errors)
            return walk.read(seconds: 60).compactMap { measurement in
                guard case .magneticField(let sample) = measurement else { return nil }
                return sample.field
            }
        }
        for (plain, turned) in zip(try fields(0), try fields(degrees)) {
            #expect(turned.y == plain.y || abs(turned.y - plain.y) < 1e-9)
            #expect(abs(turned.norm - plain.norm) < 1e-9)
            // Heading by the field: x is right, -z ahead.
            let difference = atan2(-turned.x, -turned.z) - atan2(-plain.x, -plain.z) - degrees * .pi / 180
            #expect(abs(difference - 2 * .pi * (difference / (2 * .pi)).rounded()) < 1e-9)
        }
        #expect(try fields(0) == fields(0))
    }

    @Test("the drawn turn is constant, with a standard deviation of 2° over the boards")
    func drawnTurn() throws {
        let earth = try makeWalk().magneticFieldENU
        var square = 0.0
        for seed in 0..<200 as Range<UInt64> {
            let readings = try readings(seed: seed, seconds: 2) {
                $0.fieldTurn = SensorErrors.Magnetic.typical.fieldTurn
            }
            let field = earth + readings[0].anomaly
            #expect(readings.allSatisfy { ($0.anomaly - readings[0].anomaly).norm < 1e-9 })
            let turn = atan2(field.x, field.y) - atan2(earth.x, earth.y)
            square += turn * turn / 200
        }
        // 200 deviates: √(2/200) = 10 % of the variance; four of them.
        #expect(abs(square / (2 * 2 * .pi / 180 * .pi / 180) - 1) < 0.4)
    }

    @Test("a calibrated board says so before it measures, one that was never calibrated does not")
    func calibrationOnRecord() throws {
        for (errors, isCalibrated) in [(SensorErrors.Magnetic.typical, true), (.uncalibrated, false)] {
            var settings = CityWalkSettings()
            settings.errors.magnetometer = errors
            let start = BootTime(nanoseconds: 7)
            var walk = try #require(
                CityWalk(settings: settings, start: start, magneticModel: WorldMagneticModel.wmm2025))
            guard case .calibration(let calibration) = walk.next() else {
                #expect(!isCalibrated)
                continue
            }
            #expect(isCalibrated && calibration.sensor == .magnetometer && calibration.time == start)
            #expect(calibration.correction == .identity && calibration.bias == .zero)
            #expect(calibration.biasStandardDeviation == Vector3(1, 1, 1))
        }
    }

    @Test("a board never calibrated has 30 µT of hard iron in a random direction")
    func uncalibrated() throws {
        var sum = Vector3.zero
        for seed in 0..<100 as Range<UInt64> {
            var errors = SensorErrors.none
            errors.magnetometer = .uncalibrated
            errors.magnetometer.hardIron = 0
            let walk = try makeWalk(seed: seed, errors: errors)
            let iron = walk.sensorBiases(at: BootTime(nanoseconds: 5_000_000_000)).magnetometer
            #expect(abs(iron.norm - 30) < 1e-9)
            sum += iron / 100
        }
        // The mean of 100 unit vectors has the length 0.1; four of them.
        #expect(sum.norm < 12)
    }

    @Test("street iron, turn and hard iron leave the errors of all other sensors, noise and disturbances alone")
    func streams() throws {
        var plain = SensorErrors.typical
        plain.magnetometer = plain.magnetometer.withoutStreetIronAndTurn
        var bad = SensorErrors.typical
        bad.magnetometer = .uncalibrated
        bad.magnetometer.fieldTurn = .exactly(0)
        var (first, second) = (try makeWalk(seed: 3, errors: plain), try makeWalk(seed: 3, errors: bad))
        var anomaly: Vector3?
        for (a, b) in zip(first.read(seconds: 17), second.read(seconds: 17)) {
            guard case .magneticField(let sample) = a, case .magneticField(let other) = b else {
                #expect(a == b)
                continue
            }
            let rotation = first.truth(at: sample.time).rotationENUFromBody
            // What is added is fixed to the board, and to the street on which the wearer still stands.
            let iron =
                second.sensorBiases(at: sample.time).magnetometer
                - first.sensorBiases(at: sample.time).magnetometer
            let added = rotation * (other.field - sample.field - iron)
            #expect((added - (anomaly ?? added)).norm < 1e-9)
            anomaly = added
        }
        #expect(try #require(anomaly).norm > 0.1)
    }

    @Test("typical sensors are worn in a street with iron, by a compass mounted off; perfect ones are not")
    func defaults() {
        #expect(SensorErrors.typical.magnetometer.streetIron == 1.2)
        #expect(SensorErrors.typical.magnetometer.streetIronMetres == 25)
        #expect(SensorErrors.typical.magnetometer.fieldTurn == .drawn(standardDeviation: 2 * .pi / 180))
        #expect(SensorErrors.none.magnetometer.streetIron == 0 && SensorErrors.none.magnetometer.fieldTurn == .none)
    }
}
