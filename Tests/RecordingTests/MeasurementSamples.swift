import Foundation
import Geometry
import Model
import Recording
import TestTools

/// A measurement of a recording's message.
func scanned(
    _ topic: Topic, _ text: [UInt8], geoid: inout ReceiverGeoid
) -> Result<Measurement?, JSONScanner.Problem> {
    text.withUnsafeBytes { bytes in
        Result { () throws(JSONScanner.Problem) in
            try MeasurementScanner.measurement(topic, bytes, geoid: &geoid)
        }
    }
}

/// Any values that a recording can hold and its reader takes: `MeasurementRange`.
extension SplitMix {
    /// Any finite bit pattern up to a magnitude, the extreme ones more often than chance would have them.
    mutating func double(within limit: Double = .infinity) -> Double {
        let extremes: [Double] = [
            0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, 0.1, 1e22, -1e-7, 5e15,
        ]
        while true {
            let isExtreme = next() % 8 == 0
            let value = isExtreme ? extremes[Int(next() % UInt64(extremes.count))] : Double(bitPattern: next())
            if value.isFinite, value.magnitude < limit { return value }
        }
    }

    mutating func optional(within limit: Double = .infinity) -> Double? {
        next() % 3 == 0 ? nil : double(within: limit)
    }

    mutating func deviation() -> Double? {
        let value = optional(within: MeasurementRange.standardDeviation)?.magnitude
        return value == 0 ? nil : value
    }

    mutating func time() -> BootTime {
        let maximum = Int64(MeasurementRange.time)
        let extremes: [Int64] = [-maximum, -1_000_000_000, -999_999_999, -1, 0, 1, 999_999_999, maximum]
        return BootTime(
            nanoseconds: next() % 8 == 0
                ? extremes[Int(next() % UInt64(extremes.count))] : Int64(truncatingIfNeeded: next()) / 2)
    }

    /// - Parameter limit: of the norm.
    mutating func vector(within limit: Double = .infinity) -> Vector3 {
        Vector3(double(within: limit / 2), double(within: limit / 2), double(within: limit / 2))
    }

    mutating func measurement() -> Measurement {
        switch next() % 8 {
        case 0: .angularRate(AngularRateSample(time: time(), rate: vector(within: MeasurementRange.rate)))
        case 1: .specificForce(SpecificForceSample(time: time(), force: vector(within: MeasurementRange.force)))
        case 2: .magneticField(MagneticSample(time: time(), field: vector(within: MeasurementRange.field)))
        case 3: .pressure(PressureSample(time: time(), pressureHectopascal: pressure()))
        case 4: .clock(time())
        case 5: .calibration(calibration())
        case 6: .aid(aid())
        default: .fix(fix())
        }
    }

    private mutating func pressure() -> Double {
        max(.leastNonzeroMagnitude, double(within: MeasurementRange.pressure).magnitude)
    }

    /// Any that a recording can hold, few of which can be applied.
    mutating func calibration() -> SensorCalibration {
        SensorCalibration(
            time: time(), sensor: SensorCalibration.Sensor(rawValue: UInt8(next() % 4))!,
            correction: Matrix(vector(), vector(), vector()), bias: vector(), biasStandardDeviation: vector())
    }

    private mutating func position() -> GeodeticPosition {
        GeodeticPosition(
            latitudeDegrees: Double.random(in: -90...90, using: &self),
            longitudeDegrees: Double.random(in: -540...540, using: &self),
            ellipsoidalHeight: double(within: MeasurementRange.height))!
    }

    mutating func fix() -> GNSSFix {
        let position = position()
        let speed = MeasurementRange.speed
        return GNSSFix(
            epoch: time(), arrival: time(), utcSeconds: optional(), position: position,
            hasHeight: next() % 3 != 0,
            velocityENU: .init(
                east: optional(within: speed), north: optional(within: speed), up: optional(within: speed)),
            positionSigma: .init(east: deviation(), north: deviation(), up: deviation()), velocitySigma: deviation(),
            antennaInBody: vector(within: MeasurementRange.leverArm), geoidSeparation: optional())
    }
}

/// Offers of other programs.
extension SplitMix {
    mutating func aid() -> AidMeasurement {
        let characters = Array("abcdefghijklmnopqrstuvwxyz0123456789-_.")
        let name = "a" + String((0..<Int(next() % 16)).map { _ in characters[Int(next() % UInt64(characters.count))] })
        return AidMeasurement(source: SourceName(name)!, time: time(), arrival: time(), content: content())
    }

    private mutating func content() -> AidMeasurement.Content {
        let isHeightKnown = next() % 2 == 0
        switch next() % 7 {
        case 0: return .odometry(odometry())
        case 1:
            return .position(
                OfferedPosition(
                    position: position(), hasHeight: isHeightKnown, horizontalAccuracy: deviation() ?? 1,
                    verticalAccuracy: deviation() ?? 1))
        case 2: return .sighting(sighting(.sun(utcSeconds: isHeightKnown ? Double.random(in: 0..<1e11) : nil)))
        case 3: return .sighting(sighting(.point(position(), hasHeight: isHeightKnown)))
        case 4:
            let range = double(within: MeasurementRange.beaconRange).magnitude
            return .range(BeaconRange(beacon: position(), range: range, standardDeviation: deviation() ?? 1))
        case 5:
            return .heading(OfferedHeading(azimuth: double(within: 4 * .pi), standardDeviation: angle()))
        default:
            let height = double(within: MeasurementRange.height)
            return .height(OfferedHeight(height: height, standardDeviation: deviation() ?? 1))
        }
    }

    private mutating func odometry() -> OdometryPose {
        OdometryPose(
            position: vector(within: MeasurementRange.ownPosition),
            rotationOwnFromBody: Rotation3.exp(vector(within: 10)), reset: UInt32(truncatingIfNeeded: next()),
            tracking: Double.random(in: 0...1, using: &self))
    }

    private mutating func sighting(_ target: Sighting.Target) -> Sighting {
        let direction = Rotation3.exp(vector(within: 10)) * Vector3(0, 0, -1)
        return Sighting(target: target, directionInBody: direction, standardDeviation: angle())
    }

    private mutating func angle() -> Double { max(.leastNonzeroMagnitude, double(within: .pi).magnitude) }
}

/// Measurements from memory.
final class ListReader: MeasurementReader {
    private var rest: ArraySlice<Measurement>
    let warnings: [String] = []

    init(_ measurements: [Measurement]) { rest = measurements[...] }

    func next() -> Measurement? { rest.popFirst() }
}

/// What a reader gives up to its end or its error.
struct Reading {
    var measurements: [Measurement] = []
    var warnings: [String] = []
    var error: RecordingError?
    /// Bytes that were read again, or for nothing.
    var wasted: UInt64 = 0

    init(_ path: String) {
        do throws(RecordingError) {
            let reader = try RecordingReader(path: path)
            do throws(RecordingError) {
                while let measurement = try reader.next() { measurements.append(measurement) }
            } catch {
                self.error = error
            }
            (warnings, wasted) = (reader.warnings, reader.wasted)
        } catch {
            self.error = error
        }
    }
}

/// Kinds of small walks.
enum SampleWalk: CaseIterable {
    case plain, calibrated, offered

    func measurements(seconds: Int) -> [Measurement] {
        switch self {
        case .plain: smallWalk(seconds: seconds)
        case .calibrated: calibratedWalk(seconds: seconds)
        case .offered: offeredWalk(seconds: seconds)
        }
    }
}

/// A board that is turned and pushed a little, at 100 Hz, with a magnetometer, a barometer, fixes and a clock.
func smallWalk(seconds: Int, seed: UInt64 = 1) -> [Measurement] {
    var random = SplitMix(seed: seed)
    func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &random) }
    var measurements: [Measurement] = []
    for step in 0..<(seconds * 100) {
        let time = BootTime(nanoseconds: 1_000_000_000 + Int64(step) * 10_000_000)
        let turn = sin(Double(step) / 40)
        measurements.append(
            .specificForce(
                SpecificForceSample(time: time, force: Vector3(0.1 * turn + noise(0.01), 9.81, noise(0.01)))))
        measurements.append(
            .angularRate(AngularRateSample(time: time, rate: Vector3(noise(0.001), 0.2 * turn, noise(0.001)))))
        if step % 4 == 0 {
            measurements.append(.magneticField(MagneticSample(time: time, field: Vector3(noise(0.2), -42, -22))))
        }
        if step % 10 == 0 {
            measurements.append(.pressure(PressureSample(time: time, pressureHectopascal: 950 + noise(0.1))))
        }
        if step % 100 == 50 {
            measurements.append(.clock(time))
            measurements.append(.fix(smallFix(time, noise(1e-5), noise(1e-5))))
        }
    }
    return measurements
}

/// The same with calibrations of all kinds: some active from the start, others applied under way, some of them
/// refused.
func calibratedWalk(seconds: Int) -> [Measurement] {
    var random = SplitMix(seed: 9)
    var walk = smallWalk(seconds: seconds)
    for count in 0..<40 {
        var calibration = random.calibration()
        let index = count < 8 ? 0 : Int.random(in: 0..<walk.count, using: &random)
        calibration.time = walk[index].arrival
        if count % 4 != 3 {
            func small(_ size: Double) -> Vector3 {
                func part() -> Double { Double.random(in: -size...size, using: &random) }
                return Vector3(part(), part(), part())
            }
            let isMount = calibration.sensor == .mount
            calibration.correction =
                isMount
                ? Rotation3.exp(small(1)).matrix : .identity + Matrix.skew(small(0.02)) + Matrix.skew(small(0.01))
            calibration.bias = isMount ? .zero : small(0.02)
            calibration.biasStandardDeviation = count % 2 == 0 ? .zero : Vector3(0.001, 0.002, 0.003)
        }
        walk.insert(.calibration(calibration), at: index)
    }
    return walk
}

/// The same with what other programs offer: a camera's odometry at 10 Hz, late by a tenth of a second, and each of the
/// others once a second.
func offeredWalk(seconds: Int) -> [Measurement] {
    var random = SplitMix(seed: 5)
    return smallWalk(seconds: seconds).flatMap { measurement -> [Measurement] in
        guard case .angularRate(let sample) = measurement else { return [measurement] }
        let step = (sample.time.nanoseconds - 1_000_000_000) / 10_000_000
        if step % 10 == 3 { return [measurement, offeredPose(step, at: sample.time)] }
        guard step % 100 == 75 else { return [measurement] }
        var offer = random.aid()
        (offer.time, offer.arrival) = (sample.time, sample.time)
        return [measurement, .aid(offer)]
    }
}

private func offeredPose(_ step: Int64, at time: BootTime) -> Measurement {
    let exposure = time.shifted(by: -100_000_000)
    let yaw = 0.08 * (1 - cos(Double(step - 10) / 40))
    let pose = OdometryPose(
        position: Vector3(1, 2, 3), rotationOwnFromBody: Rotation3.exp(Vector3(0, yaw, 0)), reset: 1, tracking: 1)
    return .aid(AidMeasurement(source: .camera, time: exposure, arrival: time, content: .odometry(pose)))
}

private func smallFix(_ time: BootTime, _ north: Double, _ east: Double) -> GNSSFix {
    GNSSFix(
        epoch: BootTime(nanoseconds: time.nanoseconds - 200_000_000), arrival: time,
        utcSeconds: 1_782_000_000 + time.seconds,
        position: GeodeticPosition(
            latitudeDegrees: 47 + north, longitudeDegrees: 8 + east, ellipsoidalHeight: 500)!,
        hasHeight: true, velocityENU: .init(east: 0, north: 0, up: nil),
        positionSigma: .init(east: 2, north: 2, up: 4), velocitySigma: 0.2)
}
