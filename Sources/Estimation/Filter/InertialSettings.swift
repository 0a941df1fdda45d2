extension EstimatorSettings {
    /// Noise of the inertial sensors while position or velocity are measured, and limits of their streams.
    public struct Inertial: Hashable, Sendable {
        /// White noise density of the gyroscope. Raise it to let other measurements correct the attitude sooner. Unit:
        /// rad/s/√Hz.
        public var gyroNoise = 3e-4
        /// White noise density of the accelerometer. Raise it to let other measurements correct the velocity sooner.
        /// Unit: m/s²/√Hz.
        public var accelerometerNoise = 0.01
        /// Share of the noise variance seen in the gyroscope's samples that is added to `gyroNoise`: vibration above
        /// the bandwidth of the sensor. The rest is motion, whose errors cancel. Raise it to trust the gyroscope less
        /// while it vibrates. Origin: yaw of a driven car against its course; walks do not depend on it.
        public var gyroVibrationShare = 0.12
        /// Share of the noise variance seen in the accelerometer's samples that is added to `accelerometerNoise`. Raise
        /// it to trust the accelerometer less while it vibrates. Origin: position of a driven car after outages; walks
        /// do not depend on it.
        public var accelerometerVibrationShare = 0.3
        /// Time without a GNSS velocity after which the mean specific force is used as the direction of gravity. Raise
        /// it to level by the velocities alone for longer. Unit: seconds.
        public var levelAfterSeconds = 3.0
        /// Noise density of the mean specific force as the direction of gravity, on foot. Raise it to let the gyroscope
        /// determine the tilt for longer. Unit: m/s²·√s.
        public var levelNoise = 0.6
        /// Noise density of the mean specific force as the direction of gravity, in a vehicle, which accelerates for
        /// seconds on end. Raise it to let the gyroscope determine the tilt for longer while riding. Unit: m/s²·√s.
        public var ridingLevelNoise = 3.0
        /// Random walk of the gyroscope's bias. Raise it to follow a bias that changes. Unit: rad/s/√s.
        public var gyroBiasWalk = 5e-6
        /// Random walk of the accelerometer's bias. Raise it to follow a bias that changes. Unit: m/s²/√s.
        public var accelerometerBiasWalk = 3e-4
        /// Scale-factor error of the gyroscope, correlated over the duration of a turn, about a second. Raise it to let
        /// other measurements correct the attitude sooner after a turn.
        public var gyroScaleError = 1e-3
        /// Interval between two samples beyond which it is a gap. Raise it to integrate across longer intervals. Unit:
        /// seconds.
        public var gapSeconds = 0.1
        /// Length of a gap after which attitude and scene frame are lost. Raise it to keep them over longer gaps. Unit:
        /// seconds.
        public var lostSeconds = 2.0
        /// Noise density of the angular rate assumed within a gap. Raise it to trust the attitude less after one. Unit:
        /// rad/s/√Hz.
        public var gapGyroNoise = 0.5
        /// Noise density of the acceleration assumed within a gap. Raise it to trust the velocity less after one. Unit:
        /// m/s²/√Hz.
        public var gapAccelerometerNoise = 2.0
        /// Noise density of the horizontal acceleration among fixes with an unknown heading: how a walk or a drive
        /// changes its velocity. Raise it to follow the receiver's velocity sooner. Unit: m/s²/√Hz.
        public var unobservedHeadingNoise = 0.7
        /// Time for which an angular rate waits for the specific force of the same instant. Raise it to pair samples of
        /// a slower bus; poses then come later. Unit: seconds.
        public var pairingSeconds = 0.05
        /// Time ahead of the newest inertial sample beyond which a measurement is refused. Raise it to accept clocks
        /// that differ more. Unit: seconds.
        public var farthestAheadSeconds = 10.0
        /// Angular rate beyond which a sample is refused: more than any MEMS sensor measures. Raise it to accept faster
        /// rotation. Unit: rad/s.
        public var largestRate = 80.0
        /// Specific force beyond which a sample is refused. Raise it to accept harder impacts. Unit: m/s².
        public var largestForce = 500.0
        /// Makes the defaults.
        public init() {}
    }
}
