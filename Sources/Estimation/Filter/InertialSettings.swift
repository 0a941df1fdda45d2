extension EstimatorSettings {
    /// Noise of the inertial sensors while something else measures position or velocity.
    public struct Inertial: Hashable, Sendable {
        /// White noise of the gyroscope. Raise it to let other measurements correct the attitude sooner. Unit: rad/s/√Hz.
        public var gyroNoise = 3e-4
        /// White noise of the accelerometer. Raise it to let other measurements correct the velocity sooner.
        /// Unit: m/s²/√Hz.
        public var accelerometerNoise = 0.01
        /// Share of the white noise seen in the gyroscope's samples, as variance, that is added to `gyroNoise`: vibration
        /// faster than the samples follow. Part of what is seen is motion, which cancels. Raise it to trust the gyroscope
        /// less while it vibrates. Origin: a driven car's yaw against its course; walks do not depend on it.
        public var gyroVibrationShare = 0.12
        /// The same of the accelerometer. Raise it to trust the accelerometer less while it vibrates. Origin: a driven car's
        /// position after outages; walks do not depend on it.
        public var accelerometerVibrationShare = 0.3
        /// Time without a velocity from fixes after which the mean specific force is used as the direction of gravity. Raise
        /// it to level by the velocities alone for longer. Unit: seconds.
        public var levelAfterSeconds = 3.0
        /// Continuous noise of that direction on foot. Raise it to let the gyroscope carry the tilt for longer.
        /// Unit: m/s²·√s.
        public var levelNoise = 0.6
        /// The same in a vehicle, which accelerates for seconds on end. Raise it to let the gyroscope carry the tilt for
        /// longer while riding. Unit: m/s²·√s.
        public var ridingLevelNoise = 3.0
        /// Random walk of the gyroscope's bias. Raise it to follow a bias that changes. Unit: rad/s/√s.
        public var gyroBiasWalk = 5e-6
        /// Random walk of the accelerometer's bias. Raise it to follow a bias that changes. Unit: m/s²/√s.
        public var accelerometerBiasWalk = 3e-4
        /// Error of the gyroscope's scale, which acts for the time of a turn, about a second. Raise it to let other
        /// measurements correct the attitude sooner after a turn.
        public var gyroScaleError = 1e-3
        /// Interval between samples beyond which it counts as a gap. Raise it to integrate across longer intervals.
        /// Unit: seconds.
        public var gapSeconds = 0.1
        /// A gap after which attitude and frame are lost. Raise it to keep them over longer gaps. Unit: seconds.
        public var lostSeconds = 2.0
        /// Random turn assumed within a gap. Raise it to trust the attitude less after one. Unit: rad/s/√Hz.
        public var gapGyroNoise = 0.5
        /// Random push assumed within a gap. Raise it to trust the velocity less after one. Unit: m/s²/√Hz.
        public var gapAccelerometerNoise = 2.0
        /// Random push among fixes whose heading is not known: how a walk or a drive changes its velocity. Raise it to follow
        /// the receiver's velocity sooner. Unit: m/s²/√Hz.
        public var astrayNoise = 0.7
        /// Time for which an angular rate waits for the force that belongs to it. Raise it to pair samples of a slower bus,
        /// with poses that come later. Unit: seconds.
        public var pairingSeconds = 0.05
        /// What is farther ahead of the newest inertial sample is refused. Raise it to accept clocks that differ more.
        /// Unit: seconds.
        public var farthestAheadSeconds = 10.0
        /// Beyond this a sample is refused: more than any MEMS part measures. Raise it to accept faster turns. Unit: rad/s.
        public var largestRate = 80.0
        /// The same of the specific force. Raise it to accept harder impacts. Unit: m/s².
        public var largestForce = 500.0
        public init() {}
    }
}
