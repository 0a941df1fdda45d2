extension EstimatorSettings {
    /// Detection of rest, and the zero-velocity update (ZUPT).
    public struct Rest: Hashable, Sendable {
        /// Root mean square of the angular rate about its slow mean that still is rest. Raise it to detect rest of a less
        /// quiet body. Unit: rad/s.
        public var rateDeviation = 0.02
        /// The same of the specific force. Raise it to detect rest of a less quiet body. Unit: m/s².
        public var forceDeviation = 0.2
        /// Largest mean angular rate at rest, biases included: 6 °/s, as parts have that were never calibrated. Raise it to
        /// accept larger biases. Unit: rad/s.
        public var largestMeanRate = 0.1
        /// A mean rate that differs from the bias by more than this, and by more than `gate` of its deviations, is a turn
        /// unless it keeps within `evenRate` for `longestEvenTurn`: no wearer turns so evenly for so long. Raise it to learn
        /// larger changes of the bias at once, and to take slow turns for rest. Unit: rad/s.
        public var largestRate = 0.01
        /// Raise it to take less even turns for a bias. Unit: rad/s.
        public var evenRate = 0.004
        /// Raise it to take an even turn for a bias later. Unit: seconds.
        public var longestEvenTurn = 10.0
        /// Time over which the means are taken. Raise it to detect rest later and more surely. Unit: seconds.
        public var meanSeconds = 0.5
        /// Time for which the body must be still. Raise it to detect rest later and more surely. Unit: seconds.
        public var settleSeconds = 1.5
        /// A fresh GNSS speed above this, and above twice its own deviation, contradicts rest. Raise it to trust the inertial
        /// sensors more. Unit: m/s.
        public var gnssSpeed = 0.3
        /// Continuous noise of the zero velocity. Raise it to let rest stop the estimate more slowly. Unit: m/s·√s.
        public var velocityNoise = 0.03
        /// Continuous noise of the mean rate as the bias. Raise it to learn the bias more slowly. Unit: rad/s·√s.
        public var rateNoise = 0.001
        /// Standard deviations beyond which the influence is bounded. Raise it to let rest stop a larger velocity at once.
        public var gate = 3.0
        /// Standard deviations of the velocity beyond which rest is not believed without a receiver that confirms it. Raise it
        /// to believe rest in spite of a larger velocity, also in a vehicle at constant speed.
        public var blindGate = 2.0
        public init() {}
    }
}
