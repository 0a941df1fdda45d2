import Geometry

/// Validation of a warm start, which comes from a file.
extension WarmStart {
    /// Age from which a place is no longer used. Unit: seconds.
    static let longestAge = 7 * 86400.0
    /// Time by which a clock may have been set back between two runs. Unit: seconds.
    private static let clockTolerance = 60.0
    /// Limits beyond those of any usable MEMS sensor. Units: rad/s, m/s², parts of the field, 1, seconds, microtesla.
    private static let largestGyroBias = 0.2
    private static let largestAccelerometerBias = 2.0
    private static let largestHardIron = 5.0
    private static let largestStepScale = 1.0
    private static let largestDelay = 1.0
    private static let largestField = 10_000.0

    /// Whether it is neither too old nor from the future.
    package var isFresh: Bool { ageSeconds >= -Self.clockTolerance && ageSeconds <= Self.longestAge }

    /// Parts with impossible values: not finite, without a standard deviation, or beyond all limits.
    package var implausible: Parts {
        var parts = Parts()
        func check<Value>(_ estimate: Estimate<Value>?, _ part: Parts, _ holds: (Estimate<Value>) -> Bool) {
            if let estimate, !holds(estimate) { parts.insert(part) }
        }
        check(gyroBias, .gyroBias) { Self.isSane($0, largest: Self.largestGyroBias) }
        check(accelerometerBias, .accelerometerBias) { Self.isSane($0, largest: Self.largestAccelerometerBias) }
        check(hardIron, .hardIron) {
            guard let norm = fieldNorm, norm > 0, norm < Self.largestField else { return false }
            return Self.isSane($0, largest: Self.largestHardIron * norm)
        }
        check(stepScale, .stepScale) { Self.isSane($0, largest: Self.largestStepScale) }
        check(velocityDelay, .velocityDelay) { Self.isSane($0, largest: Self.largestDelay) }
        if let place, !Self.isSane(place) { parts.insert(.place) }
        return parts
    }

    private static func isSane(_ estimate: Estimate<Vector3>, largest: Double) -> Bool {
        let (value, deviation) = (estimate.value, estimate.deviation)
        return value.isFinite && value.norm <= largest && deviation.isFinite && deviation.x > 0 && deviation.y > 0
            && deviation.z > 0
    }

    private static func isSane(_ estimate: Estimate<Double>, largest: Double) -> Bool {
        estimate.value.isFinite && estimate.value.magnitude <= largest && estimate.deviation.isFinite
            && estimate.deviation > 0
    }

    private static func isSane(_ place: Place) -> Bool {
        let position = place.position
        return position.latitudeDegrees.magnitude <= 90 && position.longitudeDegrees.magnitude <= 540
            && position.ellipsoidalHeight.magnitude < 20_000 && place.horizontalDeviation > 0
            && place.horizontalDeviation < 1e6 && place.ageSeconds >= 0 && place.ageSeconds <= longestAge
    }

    /// Parts that were learned with other sensors than the present ones, as far as both are known.
    public func foreign(to present: Sensors) -> Parts {
        var parts = Parts()
        func compare(_ before: String?, _ now: String?, _ part: Parts) {
            if let before, let now, before != now { parts.insert(part) }
        }
        compare(sensors.gyroscope, present.gyroscope, .gyroBias)
        compare(sensors.accelerometer, present.accelerometer, .accelerometerBias)
        compare(sensors.magnetometer, present.magnetometer, .hardIron)
        compare(sensors.receiver, present.receiver, .velocityDelay)
        return parts
    }
}
