import Geodesy
import Geometry

/// What the sensors measure against what there is to measure: gravity, the earth's field, and no turn at rest.
enum ScaleRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        [gravity(facts), turnRate(facts), field(facts)].compactMap { $0 }
    }

    private static func summary(_ kind: SensorFacts.Kind, _ facts: BoardFacts) -> (StreamFacts, SampleSummary)? {
        guard let stream = facts.streams.first(where: { $0.kind == kind }), let summary = stream.summary,
            summary.count >= Limits.leastSamples
        else { return nil }
        return (stream, summary)
    }

    /// Whether the board lay or stood still, as its accelerometer felt it.
    static func isAtRest(_ facts: BoardFacts) -> Bool {
        guard let (_, summary) = summary(.accelerometer, facts) else { return false }
        // Relative to what it measures, for a scale that is wrong makes motion of it that is not there.
        let scale = max(summary.meanNorm / Limits.standardGravity, 1e-3)
        return summary.normDeviation < Limits.restDeviation * max(scale, 1)
    }

    // MARK: gravity

    private static func gravity(_ facts: BoardFacts) -> Finding? {
        guard let (stream, summary) = summary(.accelerometer, facts) else { return nil }
        let expected =
            facts.receiver?.position.map {
                Ellipsoid.normalGravity(latitude: $0.latitudeDegrees * .pi / 180, height: $0.ellipsoidalHeight)
            } ?? Limits.standardGravity
        let share = summary.meanNorm / expected
        let text = "it feels \(Amount.text(summary.meanNorm)) m/s², gravity here is \(Amount.text(expected))"
        guard (share - 1).magnitude <= Limits.wrongGravityShare else {
            return .failure(
                .scaleGravityWrong, stream.device, text + ": \(factor(share))",
                meaning: "its scale is wrong: the driver and the chip are set to different ranges",
                remedy: "cat /sys/bus/iio/devices/iio:device*/in_accel_scale*; sudo dmesg | tail -n 20")
        }
        guard isAtRest(facts), (share - 1).magnitude > Limits.gravityShare else {
            return .ok(.scaleGravity, stream.device, text)
        }
        return .warning(
            .scaleGravityOff, stream.device, text, meaning: "it is not calibrated: level and height wander",
            remedy: "waymark calibrate accel")
    }

    /// "2.00 times as much", "a tenth …".
    private static func factor(_ share: Double) -> String { "\(Amount.text(share)) times as much" }

    // MARK: turn rate

    private static func turnRate(_ facts: BoardFacts) -> Finding? {
        guard let (stream, summary) = summary(.gyroscope, facts), isAtRest(facts) else { return nil }
        // The mean vector: noise has none, a bias has, and so has a steady turn about the vertical.
        let rate = summary.mean.norm
        let degrees = Amount.text(rate * 180 / .pi)
        guard rate > Limits.restRate else { return .ok(.scaleTurnRate, stream.device, "\(degrees)°/s at rest") }
        guard rate > Limits.wrongRestRate else {
            return .warning(
                .scaleTurnRateOff, stream.device, "\(degrees)°/s while nothing moves",
                meaning: "its bias is not calibrated: the heading drifts until the filter has learned it",
                remedy: "waymark calibrate gyro")
        }
        return .failure(
            .scaleTurnRateWrong, stream.device, "\(degrees)°/s while the accelerometer feels no motion",
            meaning:
                "its scale is wrong, as of degrees for radians, or the board turns evenly: hold it still and look again",
            remedy: "cat /sys/bus/iio/devices/iio:device*/in_anglvel_scale*; sudo dmesg | tail -n 20")
    }

    // MARK: field

    private static func field(_ facts: BoardFacts) -> Finding? {
        guard let (stream, summary) = summary(.magnetometer, facts) else { return nil }
        let strength = summary.meanNorm
        let (expected, text) = expectedField(facts)
        let what = "it feels \(Amount.text(strength, digits: 1)) µT, the earth's field \(text)"
        let nearest = min(max(strength, expected.lowerBound), expected.upperBound)
        guard strength > 0, strength / nearest < Limits.wrongFieldFactor,
            nearest / strength < Limits.wrongFieldFactor
        else {
            return .failure(
                .scaleFieldWrong, stream.device, what + ": \(factor(strength / nearest))",
                meaning: "its scale is wrong, as of another unit, or a magnet sits beside it",
                remedy: "cat /sys/bus/iio/devices/iio:device*/in_magn_scale*; waymark calibrate mag")
        }
        guard (strength / nearest - 1).magnitude > Limits.fieldShare else {
            return .ok(.scaleField, stream.device, what)
        }
        return .warning(
            .scaleFieldOff, stream.device, what,
            meaning:
                "iron is near, or the magnetometer is not calibrated: the heading is off by degrees to tens of them",
            remedy: "waymark calibrate mag")
    }

    /// By the model at the place, where place and time are known; else all that the earth has.
    private static func expectedField(_ facts: BoardFacts) -> (ClosedRange<Double>, String) {
        let time = facts.receiver?.time ?? facts.clock?.now
        guard let place = facts.receiver?.position, let year = time.flatMap(DecimalYear.of),
            let field = WorldMagneticModel.wmm2025.field(at: place, decimalYear: year)
        else {
            let range = Limits.earthField
            return (range, "is \(Amount.text(range.lowerBound)) to \(Amount.text(range.upperBound)) µT")
        }
        let strength = field.totalIntensity / 1000
        return (strength...strength, "here is \(Amount.text(strength, digits: 1)) µT")
    }
}
