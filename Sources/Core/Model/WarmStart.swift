import Geometry

/// Values that one run of the estimator has learned and the next run can start with. Only values that the wearer's
/// motion does not change are included, so heading and velocity are not.
public struct WarmStart: Hashable, Sendable, Codable {
    /// Value with its standard deviation, component by component.
    public struct Estimate<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Estimated value.
        public var value: Value
        /// Standard deviation, in the unit of the value.
        public var standardDeviation: Value

        /// Makes an estimate.
        public init(value: Value, standardDeviation: Value) {
            self.value = value
            self.standardDeviation = standardDeviation
        }
    }

    /// Last known place. It is used only for gravity and declination, never for the pose.
    public struct Place: Hashable, Sendable, Codable {
        /// Position of the wearer.
        public var position: GeodeticPosition
        /// Standard deviation along each axis. Unit: metres.
        public var horizontalStandardDeviation: Double
        /// Age of the place when the other parts were learned. Unit: seconds.
        public var ageSeconds: Double

        /// Makes a place.
        public init(position: GeodeticPosition, horizontalStandardDeviation: Double, ageSeconds: Double) {
            self.position = position
            self.horizontalStandardDeviation = horizontalStandardDeviation
            self.ageSeconds = ageSeconds
        }
    }

    /// Identities of the sensors that were used; nil if unknown. Each identity is unique to a sensor and its mount.
    public struct Sensors: Hashable, Sendable, Codable {
        /// Identity of the gyroscope.
        public var gyroscope: String?
        /// Identity of the accelerometer.
        public var accelerometer: String?
        /// Identity of the magnetometer.
        public var magnetometer: String?
        /// Identity of the GNSS receiver.
        public var receiver: String?

        /// Makes the identities of unknown sensors.
        public init() {}
    }

    /// Time at which the values were learned.
    public struct Moment: Hashable, Sendable, Codable {
        /// Time on CLOCK_BOOTTIME.
        public var bootTime: BootTime
        /// Boot ID of the system that `bootTime` refers to.
        public var boot: String
        /// Seconds since 1970 UTC, according to the system clock.
        public var utcSeconds: Double

        /// Makes a time.
        public init(bootTime: BootTime, boot: String, utcSeconds: Double) {
            self.bootTime = bootTime
            self.boot = boot
            self.utcSeconds = utcSeconds
        }
    }

    /// Age of the values when the next run starts; negative if their time is in the future. Unit: seconds.
    public var ageSeconds = 0.0
    /// Time at which the values were learned; nil if unknown.
    public var moment: Moment?
    /// Sensors that were used.
    public var sensors = Sensors()
    /// Version of the program that learned the values.
    public var version = ""
    /// Last known place; nil if unknown.
    public var place: Place?
    /// Gyroscope bias. Frame: body. Unit: rad/s.
    public var gyroBias: Estimate<Vector3>?
    /// Accelerometer bias. Frame: body. Unit: m/s².
    public var accelerometerBias: Estimate<Vector3>?
    /// Hard iron. Frame: body. Unit: that of the magnetometer.
    public var hardIron: Estimate<Vector3>?
    /// Norm of the local field, hard iron removed. Unit: that of the magnetometer.
    public var fieldNorm: Double?
    /// Natural logarithm of the ratio of true to modelled step length.
    public var stepScale: Estimate<Double>?
    /// Latency of the GNSS velocity relative to the fix epoch. Unit: seconds.
    public var velocityDelay: Estimate<Double>?
    /// Time since the compass was last confirmed, as of when the other parts were learned. It is confirmed while the
    /// field agrees with a heading that motion has confirmed. Nil if it never was, or if the field had disagreed with
    /// such a heading for a long time. Unit: seconds.
    public var compassConfirmationAge: Double?

    /// Makes a warm start that has no parts.
    public init() {}

    /// Set of the parts of a warm start.
    @frozen
    public struct Parts: OptionSet, Hashable, Sendable, Codable {
        /// Bits of the set.
        public let rawValue: UInt8

        /// Makes a set from its bits.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Gyroscope bias.
        @inlinable
        public static var gyroBias: Parts { Parts(rawValue: 1 << 0) }
        /// Accelerometer bias.
        @inlinable
        public static var accelerometerBias: Parts { Parts(rawValue: 1 << 1) }
        /// Hard iron with the norm of the local field.
        @inlinable
        public static var hardIron: Parts { Parts(rawValue: 1 << 2) }
        /// Last known place.
        @inlinable
        public static var place: Parts { Parts(rawValue: 1 << 3) }
        /// Scale of the step length.
        @inlinable
        public static var stepScale: Parts { Parts(rawValue: 1 << 4) }
        /// Latency of the GNSS velocity.
        @inlinable
        public static var velocityDelay: Parts { Parts(rawValue: 1 << 5) }
        /// Age of the compass confirmation.
        @inlinable
        public static var compass: Parts { Parts(rawValue: 1 << 6) }

        package static let count = 7
    }

    /// Parts that are present.
    public var parts: Parts {
        var parts = Parts()
        if gyroBias != nil { parts.insert(.gyroBias) }
        if accelerometerBias != nil { parts.insert(.accelerometerBias) }
        if hardIron != nil { parts.insert(.hardIron) }
        if place != nil { parts.insert(.place) }
        if stepScale != nil { parts.insert(.stepScale) }
        if velocityDelay != nil { parts.insert(.velocityDelay) }
        if compassConfirmationAge != nil { parts.insert(.compass) }
        return parts
    }

    /// Removes parts.
    public mutating func remove(_ parts: Parts) {
        if parts.contains(.gyroBias) { gyroBias = nil }
        if parts.contains(.accelerometerBias) { accelerometerBias = nil }
        if parts.contains(.hardIron) { hardIron = nil }
        if parts.contains(.place) { place = nil }
        if parts.contains(.stepScale) { stepScale = nil }
        if parts.contains(.velocityDelay) { velocityDelay = nil }
        if parts.contains(.compass) { compassConfirmationAge = nil }
    }
}

extension WarmStart.Estimate: Codable where Value: Codable {}

/// How a warm start was used, part by part.
public struct WarmStartReport: Hashable, Sendable, Codable {
    /// Age of the warm start when the estimator started. Unit: seconds.
    public package(set) var ageSeconds: Double
    /// Parts that were used and that no measurement has contradicted.
    public package(set) var used = WarmStart.Parts()
    /// Parts that are too old to be better than the prior of any sensor; all parts if the whole warm start is too old.
    public package(set) var tooOld = WarmStart.Parts()
    /// Parts with impossible values; all parts if the warm start is from the future.
    public package(set) var implausible = WarmStart.Parts()
    /// Parts that measurements have contradicted.
    public package(set) var contradicted = WarmStart.Parts()

    package init(ageSeconds: Double) { self.ageSeconds = ageSeconds }

    package mutating func contradict(_ parts: WarmStart.Parts) {
        contradicted.formUnion(used.intersection(parts))
        used.subtract(parts)
    }
}

/// Validation of a warm start, which comes from a file.
extension WarmStart {
    /// Age beyond which a place is no longer used. Unit: seconds.
    package static let maximumAge = 7 * 86400.0
    /// Age beyond which the confirmation of a compass is no longer used, because by then the board may be in a place
    /// with other iron. Unit: seconds.
    package static let maximumConfirmationAge = 900.0
    /// Maximum time by which a clock may have been set back between two runs. Unit: seconds.
    package static let clockTolerance = 60.0
    /// Limits that no usable MEMS sensor exceeds. Units: rad/s, m/s², fractions of the field, 1, seconds, microtesla.
    private static let maximumGyroBias = 0.2
    private static let maximumAccelerometerBias = 2.0
    private static let maximumHardIron = 5.0
    private static let maximumStepScale = 1.0
    private static let maximumDelay = 1.0
    private static let maximumField = 10_000.0

    /// Whether the warm start is neither too old nor from the future.
    package var isFresh: Bool { ageSeconds >= -Self.clockTolerance && ageSeconds <= Self.maximumAge }

    /// Parts whose values are not finite, have no standard deviation or are beyond the limits.
    package var implausible: Parts {
        var parts = Parts()
        func check<Value>(_ estimate: Estimate<Value>?, _ part: Parts, _ holds: (Estimate<Value>) -> Bool) {
            if let estimate, !holds(estimate) { parts.insert(part) }
        }
        check(gyroBias, .gyroBias) { Self.isSane($0, maximum: Self.maximumGyroBias) }
        check(accelerometerBias, .accelerometerBias) { Self.isSane($0, maximum: Self.maximumAccelerometerBias) }
        check(hardIron, .hardIron) {
            guard let norm = fieldNorm, norm > 0, norm < Self.maximumField else { return false }
            return Self.isSane($0, maximum: Self.maximumHardIron * norm)
        }
        check(stepScale, .stepScale) { Self.isSane($0, maximum: Self.maximumStepScale) }
        check(velocityDelay, .velocityDelay) { Self.isSane($0, maximum: Self.maximumDelay) }
        if let place, !Self.isSane(place) { parts.insert(.place) }
        // A confirmation of the compass is valid only together with the hard iron and the place.
        if let age = compassConfirmationAge,
            !(0...Self.maximumAge).contains(age) || place == nil || !parts.isDisjoint(with: [.place, .hardIron])
        {
            parts.insert(.compass)
        }
        return parts
    }

    private static func isSane(_ estimate: Estimate<Vector3>, maximum: Double) -> Bool {
        let (value, standardDeviation) = (estimate.value, estimate.standardDeviation)
        return value.isFinite && value.norm <= maximum && standardDeviation.isFinite && standardDeviation.x > 0
            && standardDeviation.y > 0
            && standardDeviation.z > 0
    }

    private static func isSane(_ estimate: Estimate<Double>, maximum: Double) -> Bool {
        estimate.value.isFinite && estimate.value.magnitude <= maximum && estimate.standardDeviation.isFinite
            && estimate.standardDeviation > 0
    }

    private static func isSane(_ place: Place) -> Bool {
        let position = place.position
        return position.latitudeDegrees.magnitude <= 90 && position.longitudeDegrees.magnitude <= 540
            && position.ellipsoidalHeight.magnitude < 20_000 && place.horizontalStandardDeviation > 0
            && place.horizontalStandardDeviation < 1e6 && place.ageSeconds >= 0 && place.ageSeconds <= maximumAge
    }

    /// Returns the parts that were learned with sensors other than the present ones, if both sensors are known.
    public func foreign(to present: Sensors) -> Parts {
        var parts = Parts()
        func compare(_ before: String?, _ now: String?, _ part: Parts) {
            if let before, let now, before != now { parts.insert(part) }
        }
        compare(sensors.gyroscope, present.gyroscope, .gyroBias)
        compare(sensors.accelerometer, present.accelerometer, .accelerometerBias)
        compare(sensors.magnetometer, present.magnetometer, [.hardIron, .compass])
        compare(sensors.receiver, present.receiver, .velocityDelay)
        return parts.intersection(self.parts)
    }
}
