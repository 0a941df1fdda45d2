import Geometry

extension SensorErrors {
    /// Errors of the GNSS receiver. Frame: ENU. Units: metres, m/s, seconds.
    public struct GNSS: Hashable, Sendable {
        /// Standard deviation per axis of a Gauss–Markov position error, which stands for multipath and atmosphere.
        public var positionDrift: Vector3
        package var positionTimeConstant: Double
        /// Standard deviation per axis of the white position noise of each fix.
        public var positionNoise: Vector3
        /// Standard deviation per axis of a Gauss–Markov velocity error.
        public var velocityDrift: Double
        package var velocityTimeConstant: Double
        /// Standard deviation per axis of the white velocity noise of each fix.
        public var velocityNoise: Double
        /// Range of the delays from a fix's epoch until the fix arrives. They are uniformly distributed.
        public var delaySeconds: ClosedRange<Double>
        /// Ratio of the position's true standard deviation to its reported one: 1 for a correct accuracy, 2 for an
        /// over-optimistic one.
        public var positionUnderstatement = 1.0
        /// Ratio of the velocity's true standard deviation to its reported one.
        public var velocityUnderstatement = 1.0
        /// Fraction of the true velocity that the receiver reports. It is below 1 for a receiver that smooths its
        /// positions.
        public var velocityShare = 1.0
        /// Whether the receiver reports how accurate its velocity is.
        public var reportsVelocityAccuracy = true

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

extension SensorErrors.GNSS {
    /// True standard deviation of each axis. Unit: metres.
    var positionStandardDeviation: Vector3 {
        Vector3(
            Self.sum(positionDrift.x, positionNoise.x), Self.sum(positionDrift.y, positionNoise.y),
            Self.sum(positionDrift.z, positionNoise.z))
    }

    /// True standard deviation of each axis. Unit: m/s.
    package var velocityStandardDeviation: Double { Self.sum(velocityDrift, velocityNoise) }

    private static func sum(_ drift: Double, _ noise: Double) -> Double {
        (drift * drift + noise * noise).squareRoot()
    }
}
