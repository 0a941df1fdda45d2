import Geodesy
import Geometry
import Measurements

/// States that one run of the estimator has learned and the next can start with: only such as the wearer's motion does
/// not change, and so neither heading nor velocity.
public struct WarmStart: Hashable, Sendable {
    /// Value with its standard deviation, component by component.
    public struct Estimate<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Estimated value.
        public var value: Value
        /// Standard deviation, in the unit of the value.
        public var deviation: Value

        /// Makes an estimate.
        public init(value: Value, deviation: Value) {
            self.value = value
            self.deviation = deviation
        }
    }

    /// Last known place, for gravity and declination only, never for the pose.
    public struct Place: Hashable, Sendable {
        /// Position of the wearer.
        public var position: GeodeticPosition
        /// Standard deviation per axis. Unit: metres.
        public var horizontalDeviation: Double
        /// Age when the other parts were learned. Unit: seconds.
        public var ageSeconds: Double

        /// Makes a place.
        public init(position: GeodeticPosition, horizontalDeviation: Double, ageSeconds: Double) {
            self.position = position
            self.horizontalDeviation = horizontalDeviation
            self.ageSeconds = ageSeconds
        }
    }

    /// Identities of the sensors that were used, each unique to a sensor and its mount; nil where unknown.
    public struct Sensors: Hashable, Sendable {
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

    /// Time at which it was learned.
    public struct Moment: Hashable, Sendable {
        /// Time on CLOCK_BOOTTIME.
        public var bootTime: BootTime
        /// Boot ID of the system, in which that time counts.
        public var boot: String
        /// Seconds since 1970 UTC by the system clock.
        public var utcSeconds: Double

        /// Makes a time.
        public init(bootTime: BootTime, boot: String, utcSeconds: Double) {
            self.bootTime = bootTime
            self.boot = boot
            self.utcSeconds = utcSeconds
        }
    }

    /// Age at the start that uses it; negative if from the future. Unit: seconds.
    public var ageSeconds = 0.0
    /// Time at which it was learned; nil if unknown.
    public var moment: Moment?
    /// Sensors that were used.
    public var sensors = Sensors()
    /// Version of the program that learned it.
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

    /// Makes a warm start without any part.
    public init() {}

    /// Set of the parts of a warm start.
    @frozen
    public struct Parts: OptionSet, Hashable, Sendable {
        /// Bits of the set.
        public let rawValue: UInt8

        /// Makes a set of its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Gyroscope bias.
        public static let gyroBias = Parts(rawValue: 1 << 0)
        /// Accelerometer bias.
        public static let accelerometerBias = Parts(rawValue: 1 << 1)
        /// Hard iron with the norm of the local field.
        public static let hardIron = Parts(rawValue: 1 << 2)
        /// Last known place.
        public static let place = Parts(rawValue: 1 << 3)
        /// Scale of the step length.
        public static let stepScale = Parts(rawValue: 1 << 4)
        /// Latency of the GNSS velocity.
        public static let velocityDelay = Parts(rawValue: 1 << 5)
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
    }
}

/// Use of a warm start, part by part.
public struct WarmStartReport: Hashable, Sendable {
    /// Age when the estimator started. Unit: seconds.
    public internal(set) var ageSeconds: Double
    /// Parts that were used and that no measurement has contradicted.
    public internal(set) var used = WarmStart.Parts()
    /// Parts too old to be better than the prior of any sensor; all of them if the whole is too old.
    public internal(set) var tooOld = WarmStart.Parts()
    /// Parts with impossible values; all of them if it is from the future.
    public internal(set) var implausible = WarmStart.Parts()
    /// Parts that measurements have contradicted.
    public internal(set) var contradicted = WarmStart.Parts()

    init(ageSeconds: Double) { self.ageSeconds = ageSeconds }

    mutating func contradict(_ parts: WarmStart.Parts) {
        contradicted.formUnion(used.intersection(parts))
        used.subtract(parts)
    }
}
