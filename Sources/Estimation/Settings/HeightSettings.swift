extension EstimatorSettings {
    /// Height by air pressure.
    public struct Height: Hashable, Sendable {
        /// Of the pressure's height against the ellipsoidal one: start and random walk with the weather.
        /// Units: metres, m/√s.
        public var offsetDeviation = 100.0
        public var offsetWalk = 0.03
        public init() {}
    }
}
