extension EstimatorSettings {
    /// Noise of the inertial sensors while something else tells position or velocity.
    public struct Inertial: Hashable, Sendable {
        /// Unit: rad/s/√Hz.
        public var gyroNoise = 3e-4
        /// Unit: m/s²/√Hz.
        public var accelerometerNoise = 0.01
        /// Share of the white noise seen in the samples, as variance, that is added to that of the sensors: vibration
        /// faster than the samples follow. Part of what is seen is motion, which cancels.
        /// Origin: a driven car's yaw against its course, and position after outages; walks do not depend on it.
        public var gyroVibrationShare = 0.12
        public var accelerometerVibrationShare = 0.3
        /// Specific force as the direction of gravity while no fix has told a velocity for `levelAfterSeconds`: continuous
        /// noise on foot, and in a vehicle, which accelerates for seconds on end. Units: seconds, m/s²·√s.
        public var levelAfterSeconds = 3.0
        public var levelNoise = 0.6
        public var ridingLevelNoise = 3.0
        /// Unit: rad/s/√s.
        public var gyroBiasWalk = 5e-6
        /// Unit: m/s²/√s.
        public var accelerometerBiasWalk = 3e-4
        /// Error of the gyroscope's scale, which acts for the time of a turn, about a second. Unit: 1.
        public var gyroScaleError = 1e-3
        /// A gap in the samples counts as one beyond this. Unit: seconds.
        public var gapSeconds = 0.1
        /// A gap after which attitude and frame are lost. Unit: seconds.
        public var lostSeconds = 2.0
        /// Random turn and push assumed within a gap. Units: rad/s/√Hz, m/s²/√Hz.
        public var gapGyroNoise = 0.5
        public var gapAccelerometerNoise = 2.0
        /// Random push among fixes whose heading is not known: how a walk or a drive changes its velocity.
        /// Unit: m/s²/√Hz.
        public var astrayNoise = 0.7
        /// How long an angular rate waits for the force that belongs to it. Unit: seconds.
        public var pairingSeconds = 0.05
        /// What is farther ahead of the newest inertial sample is refused. Unit: seconds.
        public var farthestAheadSeconds = 10.0
        /// Beyond this a sample is refused: more than any MEMS part measures. Units: rad/s, m/s².
        public var largestRate = 80.0
        public var largestForce = 500.0
        public init() {}
    }
}
