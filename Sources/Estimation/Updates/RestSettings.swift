extension EstimatorSettings {
    /// Detection of rest, and the zero-velocity update (ZUPT).
    public struct Rest: Hashable, Sendable {
        /// Root mean square of the angular rate about its slow mean up to which the body is at rest. Raise it to detect
        /// rest of a less quiet body. Unit: rad/s.
        public var rateDeviation = 0.02
        /// Root mean square of the specific force about its slow mean up to which the body is at rest. Raise it to
        /// detect rest of a less quiet body. Unit: m/s².
        public var forceDeviation = 0.2
        /// Largest mean angular rate at rest, biases included: 6 °/s, as of sensors that were never calibrated. Raise
        /// it to accept larger biases. Unit: rad/s.
        public var largestMeanRate = 0.1
        /// Difference of the mean rate from the bias that is a rotation, if it exceeds `gate` standard deviations of
        /// the bias as well, unless the rate stays within `evenRate` for `longestEvenTurn`: no wearer turns so evenly
        /// for so long. Raise it to learn larger changes of the bias at once, and to take slow rotations for rest.
        /// Unit: rad/s.
        public var largestRate = 0.01
        /// Largest change of a mean rate that counts as constant. Raise it to take less even rotations for a bias.
        /// Unit: rad/s.
        public var evenRate = 0.004
        /// Time after which a constant rate counts as a bias. Raise it to take an even rotation for a bias later. Unit:
        /// seconds.
        public var longestEvenTurn = 10.0
        /// Time over which the means are taken. Raise it to detect rest later and more surely. Unit: seconds.
        public var meanSeconds = 0.5
        /// Time for which the body must be still. Raise it to detect rest later and more surely. Unit: seconds.
        public var settleSeconds = 1.5
        /// GNSS speed that contradicts rest, if it exceeds two of its standard deviations as well. Raise it to trust
        /// the inertial sensors more. Unit: m/s.
        public var gnssSpeed = 0.3
        /// Noise density of the zero velocity. Raise it to let rest stop the estimate more slowly. Unit: m/s·√s.
        public var velocityNoise = 0.03
        /// Noise density of the mean rate as a measurement of the bias. Raise it to learn the bias more slowly. Unit:
        /// rad/s·√s.
        public var rateNoise = 0.001
        /// Number of standard deviations of the innovation beyond which the influence is bounded. Raise it to let rest
        /// stop a larger velocity at once.
        public var gate = 3.0
        /// Number of standard deviations of the velocity beyond which rest is rejected without a receiver that confirms
        /// it. Raise it to accept rest in spite of a larger velocity, also in a vehicle at constant speed.
        public var blindGate = 2.0
        /// Makes the defaults.
        public init() {}
    }
}
