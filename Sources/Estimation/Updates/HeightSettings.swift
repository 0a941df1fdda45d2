extension EstimatorSettings {
    /// Error model of heights by air pressure.
    public struct Height: Hashable, Sendable {
        /// Standard deviation of the offset of pressure height from ellipsoidal height, at the start. Raise it to let
        /// fixes set that offset sooner. Unit: metres. Origin: a day's weather is 30 hPa and the geoid 100 m.
        public var offsetDeviation = 250.0
        /// Random walk of that offset, by the weather. Raise it to let fixes correct the height sooner. Unit: m/√s.
        /// Origin: in an hour the pressure changes by some 0.5 hPa, 4 m.
        public var offsetWalk = 0.07
        /// Scale-factor error of height changes, by air warmer or colder than the standard atmosphere. Raise it to
        /// trust climbs less. Origin: 12 K of 288 K.
        public var scaleError = 0.04
        /// Usual duration of a climb, over which that error is correlated. Raise it to trust long climbs less. Unit:
        /// seconds.
        public var scaleSeconds = 60.0
        /// Standard deviation of a mean over `leastInterval`: noise of the sensor, and wind at its port. Raise it to
        /// smooth the height. Unit: metres.
        public var noise = 0.3
        /// Interval over which samples are averaged. Raise it to save computing time. Unit: seconds.
        public var leastInterval = 0.19
        /// Longest gap within a mean, which else begins anew. Raise it to use slower barometers. Unit: seconds.
        public var gapSeconds = 1.0
        /// Number of standard deviations of the innovation beyond which a height is rejected: a door, a tunnel, a bad
        /// sample. Raise it to let gusts move the height.
        public var gate = 4.0
        /// Time with all heights beyond the gate after which the offset is set anew, because the air is another. Raise
        /// it to wait longer. Unit: seconds.
        public var resetSeconds = 3.0
        /// Least pressure that is accepted. Raise it to refuse great heights. Unit: hectopascal.
        public var leastPressure = 300.0
        /// Largest pressure that is accepted. Raise it to accept deeper mines. Unit: hectopascal.
        public var largestPressure = 1100.0
        /// Makes the defaults.
        public init() {}

        func isPlausible(pressureHectopascal: Double) -> Bool {
            (leastPressure...largestPressure).contains(pressureHectopascal)
        }
    }
}
