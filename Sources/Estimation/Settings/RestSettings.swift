extension EstimatorSettings {
    /// Rest, and what it tells.
    public struct Rest: Hashable, Sendable {
        /// Root mean squares about the slow mean that still are rest. Units: rad/s, m/s².
        public var rateDeviation = 0.02
        public var forceDeviation = 0.2
        /// Largest mean angular rate at rest, biases included. Unit: rad/s.
        public var largestMeanRate = 0.035
        public var meanSeconds = 0.5
        public var settleSeconds = 1.5
        /// A fresh GNSS speed above this contradicts. Unit: m/s.
        public var gnssSpeed = 0.3
        /// Continuous noise of "velocity is zero" and "the mean rate is the bias". Units: m/s·√s, rad/s·√s.
        public var velocityNoise = 0.03
        public var rateNoise = 0.001
        /// Standard deviations of the velocity beyond which a verdict is not believed.
        public var gate = 3.0
        public init() {}
    }
}
