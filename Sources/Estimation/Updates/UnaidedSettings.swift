extension EstimatorSettings {
    /// No satellites: only a hand or a head that moves about one place is assumed.
    public struct Unaided: Hashable, Sendable {
        /// Continuous noise of the position that is held. Raise it to let the estimate move farther about. Unit: m·√s.
        public var positionNoise = 2.6
        /// Continuous noise of the zero velocity. Raise it to let the estimate move faster. Unit: m/s·√s.
        public var velocityNoise = 0.39
        /// Noise of the gyroscope in this mode. Raise it to let gravity correct the tilt sooner. Unit: rad/s/√Hz.
        public var gyroNoise = 0.008
        /// Noise of the accelerometer in this mode. Raise it to let the assumptions hold the velocity more firmly.
        /// Unit: m/s²/√Hz.
        public var accelerometerNoise = 0.156
        /// Time without a fix before the mode begins. Raise it to rely on dead reckoning for longer. Unit: seconds.
        public var afterSeconds = 30.0
        /// The mode begins only once the velocity is known worse than this. Raise it to rely on dead reckoning for longer.
        /// Unit: m/s.
        public var velocityDeviation = 1.0
        /// Speed at which the wearer may move away unnoticed: walking. Raise it to publish radii that grow faster. Unit: m/s.
        public var unnoticedSpeed = 1.0
        /// Standard deviation of the velocity when fixes return. Raise it to follow the first fixes sooner. Unit: m/s.
        public var returnVelocityDeviation = 3.0
        /// Continuous noise of the specific force as the direction of gravity. Raise it to let the gyroscope carry the tilt
        /// for longer. Unit: m/s²·√s.
        public var gravityNoise = 0.6
        /// Error of the gyroscope's scale and axes, which acts for the time of a turn, about a second. Raise it to let gravity
        /// correct the tilt sooner after a turn.
        public var gyroScaleError = 3e-3
        /// Noise of the yaw at rest, which no gravity holds. Raise it to let the field correct the yaw sooner.
        /// Unit: rad/s/√Hz. Origin, also of the next: recordings with optical truth.
        public var yawNoise = 5e-4
        /// Error of the gyroscope's scale for the yaw. Raise it to let the field correct a turning board sooner.
        public var yawScaleError = 0.01
        /// Speed with which the place may have changed between two weak fixes. Raise it to follow weak fixes sooner.
        /// Unit: m/s.
        public var weakSpeed = 1.0
        /// Time without a fix before the mode begins in a vehicle, where it is wrong in a tunnel. Raise it to rely on dead
        /// reckoning for longer. Unit: seconds.
        public var afterRidingSeconds = 180.0
        public init() {}
    }
}
