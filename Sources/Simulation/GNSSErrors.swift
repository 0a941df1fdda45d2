import Geometry

extension SensorErrors {
    /// Errors of the receiver. Frame: east, north, up. Units: metres, m/s, seconds.
    public struct GNSS: Hashable, Sendable {
        /// Standard deviations of a Gauss–Markov process: multipath and atmosphere.
        public var positionDrift: Vector3
        public var positionTimeConstant: Double
        /// White, each fix.
        public var positionNoise: Vector3
        /// Standard deviation of a Gauss–Markov process, each axis.
        public var velocityDrift: Double
        public var velocityTimeConstant: Double
        /// White, each fix and axis.
        public var velocityNoise: Double
        /// Time from the epoch of a fix to its arrival.
        public var delaySeconds: ClosedRange<Double>
        /// Ratio of the position's true standard deviation to the reported one: 1 is honest, 2 is half as large as true.
        public var positionUnderstatement: Double
        /// The same ratio of the velocity.
        public var velocityUnderstatement: Double

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

        public static let typical = GNSS(
            positionDrift: Vector3(2.6, 2.6, 5), positionTimeConstant: 60, positionNoise: Vector3(1, 1, 2),
            velocityDrift: 0.05, velocityTimeConstant: 10, velocityNoise: 0.12, delaySeconds: 0.15...0.35)

        /// Exact, and late all the same.
        public static let none = GNSS(
            positionDrift: .zero, positionTimeConstant: 60, positionNoise: .zero, velocityDrift: 0,
            velocityTimeConstant: 10, velocityNoise: 0, delaySeconds: 0.15...0.35)
    }
}

/// Receivers that are worse than the typical one in one way.
extension SensorErrors.GNSS {
    /// Position errors that last for five minutes.
    public static var longLasting: SensorErrors.GNSS {
        var errors = typical
        errors.positionTimeConstant = 300
        return errors
    }

    /// Velocities that are off by 0.12 m/s an axis for a minute, and reported as if they were typical.
    public static var wanderingVelocity: SensorErrors.GNSS {
        var errors = typical
        let reported = errors.velocityStandardDeviation
        errors.velocityDrift = 0.12
        errors.velocityTimeConstant = 60
        errors.velocityUnderstatement = errors.velocityStandardDeviation / reported
        return errors
    }

    /// Position errors a number of times as large as typical and as reported.
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
