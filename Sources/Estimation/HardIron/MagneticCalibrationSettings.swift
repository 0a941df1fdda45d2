extension EstimatorSettings {
    /// What belongs to the magnetometer and what to the place, learned while the board turns.
    ///
    /// Fields in parts of the first field that was measured.
    public struct MagneticCalibration: Hashable, Sendable {
        /// Of the hard iron per axis: start, and random walk. Units: 1, 1/√s.
        public var hardIronDeviation = 0.025
        public var hardIronWalk = 5e-4
        /// Of strength and upward part of the local field: start, and random walk of a wearer who goes about indoors.
        /// Units: 1, 1/√s.
        public var placeDeviation = 0.1
        public var placeWalk = 0.003
        /// The same of a wearer who walks, with the way. Unit: 1/√m. Origin: 10 to 20 % over 5 to 20 m indoors.
        public var placeWayWalk = 0.04
        /// Of the magnetometer's delay: a sample interval or the filter of the part. Units: seconds, s/√s.
        public var delayDeviation = 0.012
        public var delayWalk = 2e-4
        /// Beyond these it is not believed. Unit: seconds.
        public var delayRange = -0.02...0.06
        /// Noise of norm and upward part: a disturbance of 2 % that stays for 4 s. Unit: √s.
        public var noise = 0.06
        /// More of it while the board turns. Unit: √s per rad/s.
        public var turningNoise = 5e-4
        /// A disturbance as it is usual indoors.
        public var disturbance = 0.025
        /// Mean squared innovation, in parts of the usual, that puts in doubt what was learned, and its time of averaging.
        /// Units: 1, seconds.
        public var doubtLimit = 2.0
        public var doubtSeconds = 0.5
        /// Below this rate a new field cannot come from hard iron that was always there. Unit: rad/s.
        public var turningRate = 0.2
        /// Share of the first variance of the hard iron below which it counts as confirmed.
        public var confirmedShare = 0.8
        /// Standard deviations beyond which the influence is bounded.
        public var gate = 3.0
        /// The calibrator's covariance counts so many times, plus this part of the field: soft iron, which it does not
        /// know, looks like hard iron. Units: 1, parts of the field.
        public var caution = 3.0
        public var leastDeviation = 0.005
        /// The filter takes over a hard iron that differs by more than this part of the field, and by more than so many
        /// squared deviations: smaller ones are soft iron and cost more than they bring.
        public var leastChange = 0.03
        public var leastSquare = 16.0
        /// A hard iron known worse than this, in parts of the field, tells no north.
        public var usableDeviation = 0.1
        public init() {}
    }
}
