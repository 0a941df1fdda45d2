extension EstimatorSettings {
    /// Rest, and what it tells.
    public struct Rest: Hashable, Sendable {
        /// Root mean squares about the slow mean that still are rest. Units: rad/s, m/s².
        public var rateDeviation = 0.02
        public var forceDeviation = 0.2
        /// Largest mean angular rate at rest, biases included: 6 °/s, as parts have that were never calibrated.
        /// Unit: rad/s.
        public var largestMeanRate = 0.1
        /// A mean rate that differs from the bias by more than this, and by more than `gate` of its deviations, is a turn
        /// unless it keeps within `evenRate` for `longestEvenTurn`: no wearer turns so evenly for so long.
        /// Units: rad/s, rad/s, seconds.
        public var largestRate = 0.01
        public var evenRate = 0.004
        public var longestEvenTurn = 10.0
        public var meanSeconds = 0.5
        public var settleSeconds = 1.5
        /// A fresh GNSS speed above this, and above twice its own deviation, contradicts. Unit: m/s.
        public var gnssSpeed = 0.3
        /// Continuous noise of "velocity is zero" and "the mean rate is the bias". Units: m/s·√s, rad/s·√s.
        public var velocityNoise = 0.03
        public var rateNoise = 0.001
        /// Standard deviations beyond which the influence is bounded.
        public var gate = 3.0
        /// Standard deviations of the velocity beyond which a verdict is not believed that no receiver confirms.
        public var blindGate = 2.0
        public init() {}
    }
}
