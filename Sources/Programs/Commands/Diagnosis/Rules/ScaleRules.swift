import Geometry
import Model

/// Measured against known values: gravity, the geomagnetic field, and zero angular rate at rest.
enum ScaleRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        [gravity(facts), turnRate(facts), field(facts)].compactMap { $0 }
    }

    private static func summary(_ kind: SensorFacts.Kind, _ facts: BoardFacts) -> (StreamFacts, SampleSummary)? {
        guard let stream = facts.streams.first(where: { $0.kind == kind }), let summary = stream.summary,
            summary.count >= Limits.minimumSampleCount
        else { return nil }
        return (stream, summary)
    }

    /// Whether the board was at rest according to the accelerometer.
    static func isAtRest(_ facts: BoardFacts) -> Bool {
        guard let (_, summary) = summary(.accelerometer, facts) else { return false }
        // Relative to the measured norm: a wrong scale factor would otherwise look like motion.
        let scale = max(summary.meanNorm / Limits.standardGravity, 1e-3)
        return summary.normStandardDeviation < Limits.restStandardDeviation * max(scale, 1)
    }

    // MARK: gravity

    private static func gravity(_ facts: BoardFacts) -> Finding? {
        guard let (stream, summary) = summary(.accelerometer, facts) else { return nil }
        let expected =
            facts.receiver?.position.map {
                Ellipsoid.normalGravity(latitude: $0.latitudeDegrees * .pi / 180, height: $0.ellipsoidalHeight)
            } ?? Limits.standardGravity
        let share = summary.meanNorm / expected
        let text = "measured \(Amount.text(summary.meanNorm)) m/s², local gravity is \(Amount.text(expected))"
        guard (share - 1).magnitude <= Limits.wrongGravityShare else {
            return .failure(
                .scaleGravityWrong, stream.device, text + ": \(factor(share))",
                meaning: isInG(share)
                    ? "the unit is g, not m/s²: the driver's scale, or the program that offers the samples, lacks the "
                        + "factor 9.80665"
                    : "wrong scale factor: the driver and the chip use different full-scale ranges",
                remedy: "cat /sys/bus/iio/devices/iio:device*/in_accel_scale*; sudo dmesg | tail -n 20")
        }
        guard isAtRest(facts), (share - 1).magnitude > Limits.gravityShare else {
            return .ok(.scaleGravity, stream.device, text)
        }
        return .warning(
            .scaleGravityOff, stream.device, text,
            meaning: "the accelerometer is not calibrated: tilt and height drift",
            remedy: "waymark calibrate accel")
    }

    /// Whether gravity is of the size that it has in g, as a share of that in m/s².
    private static func isInG(_ share: Double) -> Bool {
        MeasurementRange.forceInG.contains(share * Limits.standardGravity)
    }

    /// Such as "2 times the expected value".
    private static func factor(_ share: Double) -> String { "\(Amount.text(share)) times the expected value" }

    // MARK: turn rate

    private static func turnRate(_ facts: BoardFacts) -> Finding? {
        guard let (stream, summary) = summary(.gyroscope, facts), isAtRest(facts) else { return nil }
        // The mean vector: noise averages out, a bias and a steady rotation do not.
        let rate = summary.mean.norm
        let degreesPerSecond = Amount.turnRate(rate)
        guard rate > Limits.restRate else { return .ok(.scaleTurnRate, stream.device, "\(degreesPerSecond) at rest") }
        guard rate > Limits.wrongRestRate else {
            return .warning(
                .scaleTurnRateOff, stream.device, "\(degreesPerSecond) while the board is at rest",
                meaning: "the gyroscope bias is not calibrated: the heading drifts until the filter has estimated it",
                remedy: "waymark calibrate gyro")
        }
        return .failure(
            .scaleTurnRateWrong, stream.device, "\(degreesPerSecond) while the accelerometer shows no motion",
            meaning:
                "wrong scale factor (degrees for radians?), or the board rotates steadily: hold it still and try again",
            remedy: "cat /sys/bus/iio/devices/iio:device*/in_anglvel_scale*; sudo dmesg | tail -n 20")
    }

    // MARK: field

    private static func field(_ facts: BoardFacts) -> Finding? {
        guard let (stream, summary) = summary(.magnetometer, facts) else { return nil }
        let strength = summary.meanNorm
        let (expected, text) = expectedField(facts)
        let what = "measured \(Amount.text(strength, digits: 1)) µT, the earth's field \(text)"
        let nearest = min(max(strength, expected.lowerBound), expected.upperBound)
        guard strength > 0, strength / nearest < Limits.wrongFieldFactor,
            nearest / strength < Limits.wrongFieldFactor
        else {
            return .failure(
                .scaleFieldWrong, stream.device, what + ": \(factor(strength / nearest))",
                meaning: "wrong scale factor (wrong unit?), or a magnet next to the sensor",
                remedy: "cat /sys/bus/iio/devices/iio:device*/in_magn_scale*; waymark calibrate mag")
        }
        guard (strength / nearest - 1).magnitude > Limits.fieldShare else {
            return .ok(.scaleField, stream.device, what)
        }
        return .warning(
            .scaleFieldOff, stream.device, what,
            meaning:
                "iron nearby or uncalibrated magnetometer: the heading is wrong by degrees to tens of degrees",
            remedy: "waymark calibrate mag")
    }

    /// Field of the magnetic model; nil if position or time are unknown.
    static func modelField(_ facts: BoardFacts) -> GeomagneticField? {
        let time = facts.receiver?.time ?? facts.clock?.now
        guard let place = facts.receiver?.position, let year = time.flatMap(DecimalYear.of) else { return nil }
        return WorldMagneticModel.wmm2025.field(at: place, decimalYear: year)
    }

    /// From the magnetic model if position and time are known, otherwise the range on the earth.
    private static func expectedField(_ facts: BoardFacts) -> (ClosedRange<Double>, String) {
        guard let field = modelField(facts) else {
            let range = Limits.earthField
            return (range, "is \(Amount.text(range.lowerBound)) to \(Amount.text(range.upperBound)) µT")
        }
        let strength = field.totalIntensity / 1000
        return (strength...strength, "here is \(Amount.text(strength, digits: 1)) µT")
    }
}
