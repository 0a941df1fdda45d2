import Geometry

extension SensorErrors {
    /// Errors of the GNSS receiver. Frame: ENU. Units: metres, m/s, seconds.
    public struct GNSS: Hashable, Sendable {
        /// Standard deviation per axis of a Gauss–Markov position error: multipath and atmosphere.
        public var positionDrift: Vector3
        /// Time constant of the Gauss–Markov position error.
        public var positionTimeConstant: Double
        /// Standard deviation per axis of the white position noise of each fix.
        public var positionNoise: Vector3
        /// Standard deviation per axis of a Gauss–Markov velocity error.
        public var velocityDrift: Double
        /// Time constant of the Gauss–Markov velocity error.
        public var velocityTimeConstant: Double
        /// Standard deviation per axis of the white velocity noise of each fix.
        public var velocityNoise: Double
        /// Range of the delays from the epoch of a fix to its arrival, uniformly distributed.
        public var delaySeconds: ClosedRange<Double>
        /// Ratio of the position's true standard deviation to its reported standard deviation: 1 for a correct
        /// accuracy, 2 for an over-optimistic accuracy.
        public var positionUnderstatement: Double
        /// Ratio of the velocity's true standard deviation to its reported standard deviation.
        public var velocityUnderstatement: Double
        /// Share of the true velocity that the receiver reports: less than 1 for a receiver that smooths its positions.
        public var velocityShare = 1.0
        /// Whether the receiver reports how accurate its velocity is.
        public var reportsVelocityAccuracy = true

        /// Errors with correct reported accuracies unless given.
        public init(
            positionDrift: Vector3, positionTimeConstant: Double, positionNoise: Vector3, velocityDrift: Double,
            velocityTimeConstant: Double, velocityNoise: Double, delaySeconds: ClosedRange<Double>,
            positionUnderstatement: Double = 1, velocityUnderstatement: Double = 1
        ) {
            self.positionDrift = positionDrift
            self.positionTimeConstant = positionTimeConstant
            self.positionNoise = positionNoise
            self.velocityDrift = velocityDrift
            self.velocityTimeConstant = velocityTimeConstant
            self.velocityNoise = velocityNoise
            self.delaySeconds = delaySeconds
            self.positionUnderstatement = positionUnderstatement
            self.velocityUnderstatement = velocityUnderstatement
        }

        /// A consumer receiver in a city.
        public static let typical = GNSS(
            positionDrift: Vector3(2.6, 2.6, 5), positionTimeConstant: 60, positionNoise: Vector3(1, 1, 2),
            velocityDrift: 0.05, velocityTimeConstant: 10, velocityNoise: 0.12, delaySeconds: 0.15...0.35)

        /// No errors except the delay.
        public static let none = GNSS(
            positionDrift: .zero, positionTimeConstant: 60, positionNoise: .zero, velocityDrift: 0,
            velocityTimeConstant: 10, velocityNoise: 0, delaySeconds: 0.15...0.35)
    }
}

/// Receivers that are worse than the typical receiver in one respect.
extension SensorErrors.GNSS {
    /// Position errors with a time constant of five minutes.
    public static var longLasting: SensorErrors.GNSS {
        var errors = typical
        errors.positionTimeConstant = 300
        return errors
    }

    /// Velocity errors of 0.12 m/s per axis with a time constant of a minute, reported with the typical accuracy.
    public static var wanderingVelocity: SensorErrors.GNSS {
        var errors = typical
        let reported = errors.velocityStandardDeviation
        errors.velocityDrift = 0.12
        errors.velocityTimeConstant = 60
        errors.velocityUnderstatement = errors.velocityStandardDeviation / reported
        return errors
    }

    /// The typical errors without an accuracy of the velocity, as for all receivers with NMEA.
    public static var withoutVelocityAccuracy: SensorErrors.GNSS {
        var errors = typical
        errors.reportsVelocityAccuracy = false
        return errors
    }

    /// A locator of a phone indoors: errors of 8 m that change within half a minute, and 0.2 m/s of a walking wearer,
    /// without an accuracy.
    public static var locator: SensorErrors.GNSS {
        var errors = typical
        errors.positionDrift = errors.positionDrift * 3
        errors.positionTimeConstant = 25
        errors.velocityShare = 0.15
        errors.reportsVelocityAccuracy = false
        return errors
    }

    /// Position errors that exceed the typical errors, and the reported accuracy, by a factor.
    public static func understated(by factor: Double) -> SensorErrors.GNSS {
        var errors = typical
        errors.positionDrift = errors.positionDrift * factor
        errors.positionNoise = errors.positionNoise * factor
        errors.positionUnderstatement = factor
        return errors
    }

    /// True standard deviation of each axis. Unit: metres.
    var positionStandardDeviation: Vector3 {
        Vector3(
            Self.sum(positionDrift.x, positionNoise.x), Self.sum(positionDrift.y, positionNoise.y),
            Self.sum(positionDrift.z, positionNoise.z))
    }

    /// True standard deviation of each axis. Unit: m/s.
    var velocityStandardDeviation: Double { Self.sum(velocityDrift, velocityNoise) }

    private static func sum(_ drift: Double, _ noise: Double) -> Double {
        (drift * drift + noise * noise).squareRoot()
    }
}
