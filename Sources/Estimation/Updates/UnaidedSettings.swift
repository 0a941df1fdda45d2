extension EstimatorSettings {
    /// Mode without satellites: a hand or head that moves about one place is assumed.
    public struct Unaided: Hashable, Sendable {
        /// Noise density of the position of the anchor. Raise it to let the estimate move farther about. Unit: m·√s.
        public var positionNoise = 2.6
        /// Noise density of the zero velocity. Raise it to let the estimate move faster. Unit: m/s·√s.
        public var velocityNoise = 0.39
        /// White noise density of the gyroscope in this mode. Raise it to let gravity correct the tilt sooner. Unit:
        /// rad/s/√Hz.
        public var gyroNoise = 0.008
        /// White noise density of the accelerometer in this mode. Raise it to let the pseudo-measurements hold the
        /// velocity more firmly. Unit: m/s²/√Hz.
        public var accelerometerNoise = 0.156
        /// Time without a fix before the mode begins. Raise it to rely on dead reckoning for longer. Unit: seconds.
        public var afterSeconds = 30.0
        /// Standard deviation of the velocity below which the mode does not begin. Raise it to rely on dead reckoning
        /// for longer. Unit: m/s.
        public var velocityDeviation = 1.0
        /// Speed at which the wearer may move away unnoticed, that of a walk. Raise it to publish radii that grow
        /// faster. Unit: m/s.
        public var unnoticedSpeed = 1.0
        /// Standard deviation of the velocity when fixes return. Raise it to follow the first fixes sooner. Unit: m/s.
        public var returnVelocityDeviation = 3.0
        /// Noise density of the specific force as the direction of gravity. Raise it to let the gyroscope determine the
        /// tilt for longer. Unit: m/s²·√s.
        public var gravityNoise = 0.6
        /// Scale-factor and misalignment error of the gyroscope, correlated over the duration of a turn, about a
        /// second. Raise it to let gravity correct the tilt sooner after a turn.
        public var gyroScaleError = 3e-3
        /// White noise density of the yaw rate, which gravity does not observe. Raise it to let the field correct the
        /// yaw sooner. Unit: rad/s/√Hz. Origin, also of the next: recordings with optical truth.
        public var yawNoise = 5e-4
        /// Scale-factor error of the gyroscope for the yaw. Raise it to let the field correct a turning board sooner.
        public var yawScaleError = 0.01
        /// Speed at which the wearer may have moved between two weak fixes. Raise it to follow weak fixes sooner. Unit:
        /// m/s.
        public var weakSpeed = 1.0
        /// Time without a fix before the mode begins in a vehicle, where it is wrong in a tunnel. Raise it to rely on
        /// dead reckoning for longer. Unit: seconds.
        public var afterRidingSeconds = 180.0
        /// Makes the defaults.
        public init() {}
    }
}
