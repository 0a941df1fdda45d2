extension EstimatorSettings {
    /// Height by air pressure.
    public struct Height: Hashable, Sendable {
        /// Standard deviation of the pressure's height above the ellipsoidal one, at the start. Raise it to let fixes set that
        /// offset sooner. Unit: metres. Origin: a day's weather is 30 hPa and the geoid 100 m.
        public var offsetDeviation = 250.0
        /// Its random walk with the weather. Raise it to let fixes correct the height sooner. Unit: m/√s.
        /// Origin: in an hour the pressure changes by some 0.5 hPa, 4 m.
        public var offsetWalk = 0.07
        /// Air that is not as warm as the standard's makes heights too small or large by this share. Raise it to trust climbs
        /// less. Origin: 12 K of 288 K.
        public var scaleError = 0.04
        /// Time for which one climbs. Raise it to trust long climbs less. Unit: seconds.
        public var scaleSeconds = 60.0
        /// Standard deviation of a mean over `leastInterval`: the sensor's noise, and wind at its port. Raise it to smooth the
        /// height. Unit: metres.
        public var noise = 0.3
        /// Samples closer than this are averaged. Raise it to save computing time. Unit: seconds.
        public var leastInterval = 0.19
        /// A mean in which there is a gap of more than this is begun anew. Raise it to use slower barometers. Unit: seconds.
        public var gapSeconds = 1.0
        /// Standard deviations beyond which a height is left out: a door, a tunnel, a bad sample. Raise it to let gusts move
        /// the height.
        public var gate = 4.0
        /// Heights beyond the gate for this long are those of another air, and the offset is set anew. Raise it to wait
        /// longer. Unit: seconds.
        public var resetSeconds = 3.0
        /// Least pressure where people are. Raise it to refuse great heights. Unit: hectopascal.
        public var leastPressure = 300.0
        /// Largest pressure where people are. Raise it to accept deeper mines. Unit: hectopascal.
        public var largestPressure = 1100.0
        public init() {}

        func isPlausible(pressureHectopascal: Double) -> Bool {
            (leastPressure...largestPressure).contains(pressureHectopascal)
        }
    }
}
