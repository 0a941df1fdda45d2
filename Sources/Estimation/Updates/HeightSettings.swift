extension EstimatorSettings {
    /// Height by air pressure.
    public struct Height: Hashable, Sendable {
        /// Of the pressure's height against the ellipsoidal one: start and random walk with the weather.
        /// Units: metres, m/√s. Origin: a day's weather is 30 hPa and the geoid 100 m; in an hour the pressure changes by
        /// some 0.5 hPa, 4 m.
        public var offsetDeviation = 250.0
        public var offsetWalk = 0.07
        /// Air that is not as warm as the standard's makes heights too small or large by this share, for as long as
        /// one climbs. Units: 1, seconds. Origin: 12 K of 288 K.
        public var scaleError = 0.04
        public var scaleSeconds = 60.0
        /// Of a mean over `leastInterval`: the sensor's noise, and wind at its port. Unit: metres.
        public var noise = 0.3
        /// Samples closer than this are averaged. Unit: seconds.
        public var leastInterval = 0.19
        /// A mean in which there is a gap of more than this is begun anew. Unit: seconds.
        public var gapSeconds = 1.0
        /// Standard deviations beyond which a height is left out: a door, a tunnel, a bad sample.
        public var gate = 4.0
        /// Heights beyond the gate for so long are those of another air: the offset is set anew. Unit: seconds.
        public var resetSeconds = 3.0
        /// Pressures that a barometer can measure where people are. Unit: hectopascal.
        public var leastPressure = 300.0
        public var largestPressure = 1100.0
        public init() {}

        func isPlausible(pressureHectopascal: Double) -> Bool {
            (leastPressure...largestPressure).contains(pressureHectopascal)
        }
    }
}
