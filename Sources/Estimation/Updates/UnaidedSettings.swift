extension EstimatorSettings {
    /// No satellites: only a hand or a head that moves about one place is assumed.
    public struct Unaided: Hashable, Sendable {
        /// Continuous noise of "the position is what it was" and of "the velocity is zero". Units: m·√s, m/s·√s.
        public var positionNoise = 2.6
        public var velocityNoise = 0.39
        /// Noise of the inertial sensors in this mode. Units: rad/s/√Hz, m/s²/√Hz.
        public var gyroNoise = 0.008
        public var accelerometerNoise = 0.156
        /// Begins when no fix has come for so long and the velocity is no better than this. Units: seconds, m/s.
        public var afterSeconds = 30.0
        public var velocityDeviation = 1.0
        /// Speed at which the position may drift away unnoticed: walking. Unit: m/s.
        public var unnoticedSpeed = 1.0
        /// Standard deviation of the velocity when fixes return. Unit: m/s.
        public var returnVelocityDeviation = 3.0
        /// Of the specific force as the direction of gravity, quasi-static: continuous noise. Unit: m/s²·√s.
        public var gravityNoise = 0.6
        /// Error of the gyroscope's scale and axes, which acts for the time of a turn, about a second. Unit: 1.
        public var gyroScaleError = 3e-3
        /// The same of the yaw alone, which no gravity holds: noise at rest, and error of the scale. Raise the latter to let
        /// the field correct a turning board sooner. Units: rad/s/√Hz, 1. Origin: recordings with optical truth.
        public var yawNoise = 5e-4
        public var yawScaleError = 0.01
        /// Speed with which a place between two weak fixes may have changed. Unit: m/s.
        public var weakSpeed = 1.0
        /// In a vehicle the mode begins after so long: nothing else holds the velocity. Unit: seconds.
        public var afterRidingSeconds = 180.0
        public init() {}
    }
}
