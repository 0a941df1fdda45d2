extension EstimatorSettings {
    /// Steps of a walking wearer.
    public struct Steps: Hashable, Sendable {
        /// Of the ratio between the true length of a step and the modelled one: start and random walk.
        /// Units: 1, 1/√s.
        public var scaleDeviation = 0.15
        public var scaleWalk = 0.002
        /// Of the walking direction against the board's: standard deviation and time constant. Units: radians, seconds.
        public var directionDeviation = 0.33
        public var directionSeconds = 60.0
        public init() {}
    }
}
