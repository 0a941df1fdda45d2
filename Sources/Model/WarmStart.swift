import Geodesy
import Geometry

/// What one run of the estimator learned and the next can begin with: nothing that the wearer's turning round or walking
/// away makes wrong, so neither heading nor velocity.
public struct WarmStart: Hashable, Sendable {
    /// A value with its standard deviation, component by component.
    public struct Estimate<Value: Hashable & Sendable>: Hashable, Sendable {
        public var value: Value
        public var deviation: Value

        public init(value: Value, deviation: Value) {
            self.value = value
            self.deviation = deviation
        }
    }

    /// Where the wearer was: for gravity and declination, never for the pose.
    public struct Place: Hashable, Sendable {
        public var position: GeodeticPosition
        /// Standard deviation per axis. Unit: metres.
        public var horizontalDeviation: Double
        /// How old it was when the rest was learned. Unit: seconds.
        public var ageSeconds: Double

        public init(position: GeodeticPosition, horizontalDeviation: Double, ageSeconds: Double) {
            self.position = position
            self.horizontalDeviation = horizontalDeviation
            self.ageSeconds = ageSeconds
        }
    }

    /// Which sensors it was learned with, each by a text that another sensor, or another mount, does not have.
    public struct Sensors: Hashable, Sendable {
        public var gyroscope: String?
        public var accelerometer: String?
        public var magnetometer: String?
        public var receiver: String?

        public init() {}
    }

    /// When it was learned: of CLOCK_BOOTTIME, in which boot, and in seconds since 1970 UTC as the system had it.
    public struct Moment: Hashable, Sendable {
        public var bootTime: BootTime
        public var boot: String
        public var utcSeconds: Double

        public init(bootTime: BootTime, boot: String, utcSeconds: Double) {
            self.bootTime = bootTime
            self.boot = boot
            self.utcSeconds = utcSeconds
        }
    }

    /// How old it is at the start that uses it. Negative: from the future. Unit: seconds.
    public var ageSeconds = 0.0
    /// Nil where nobody keeps it.
    public var moment: Moment?
    public var sensors = Sensors()
    /// Of the program that learned it.
    public var version = ""
    public var place: Place?
    /// Frame: body. Unit: rad/s.
    public var gyroBias: Estimate<Vector3>?
    /// Frame: body. Unit: m/s².
    public var accelerometerBias: Estimate<Vector3>?
    /// Frame: body. Unit: that of the magnetometer.
    public var hardIron: Estimate<Vector3>?
    /// Of the local field, hard iron removed. Unit: that of the magnetometer.
    public var fieldNorm: Double?
    /// Natural logarithm of the true length of a step against the modelled one.
    public var stepScale: Estimate<Double>?
    /// By how much the receiver's velocity is older than its epoch says. Unit: seconds.
    public var velocityDelay: Estimate<Double>?

    public init() {}

    /// Parts of it.
    @frozen
    public struct Parts: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let gyroBias = Parts(rawValue: 1 << 0)
        public static let accelerometerBias = Parts(rawValue: 1 << 1)
        public static let hardIron = Parts(rawValue: 1 << 2)
        public static let place = Parts(rawValue: 1 << 3)
        public static let stepScale = Parts(rawValue: 1 << 4)
        public static let velocityDelay = Parts(rawValue: 1 << 5)
    }

    /// Those that are there.
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

    /// Takes parts away.
    public mutating func remove(_ parts: Parts) {
        if parts.contains(.gyroBias) { gyroBias = nil }
        if parts.contains(.accelerometerBias) { accelerometerBias = nil }
        if parts.contains(.hardIron) { hardIron = nil }
        if parts.contains(.place) { place = nil }
        if parts.contains(.stepScale) { stepScale = nil }
        if parts.contains(.velocityDelay) { velocityDelay = nil }
    }
}

/// What became of a warm start.
public struct WarmStartReport: Hashable, Sendable {
    /// How old it was when the estimator began. Unit: seconds.
    public package(set) var ageSeconds: Double
    /// Parts with which the estimate began and which nothing has spoken against.
    public package(set) var used = WarmStart.Parts()
    /// Parts that are no better known, after so long, than those of any sensor; all of them where the whole is too old.
    public package(set) var tooOld = WarmStart.Parts()
    /// Parts that hold what cannot be; all of them where it is from the future.
    public package(set) var implausible = WarmStart.Parts()
    /// Parts that measurements spoke against.
    public package(set) var contradicted = WarmStart.Parts()

    package init(ageSeconds: Double) { self.ageSeconds = ageSeconds }

    package mutating func contradict(_ parts: WarmStart.Parts) {
        contradicted.formUnion(used.intersection(parts))
        used.subtract(parts)
    }
}
