extension EstimatorSettings {
    /// The slow search for hard iron while the board is worn.
    ///
    /// Fields in parts of the present field. Times count while the wearer walks.
    public struct HardIron: Hashable, Sendable {
        /// Means of so long are looked at. Unit: seconds.
        public var meanSeconds = 1.0
        /// What the search looks back on, what it needs at least, and how often it is done. Units: seconds.
        public var windowSeconds = 480.0
        public var leastSeconds = 180.0
        public var fitSeconds = 10.0
        /// For which a disturbance stays the same, as far as the deviations go: usually, and at most. Units: seconds.
        public var disturbanceSeconds = 5.0
        public var blockSeconds = 30.0
        /// Degrees of freedom of the residuals' distribution: how many disturbances it forgives.
        public var freedom = 3.0
        /// Before any measurement: of the hard iron per axis, and of horizontal and upward intensity against the model's.
        public var priorDeviation = 0.1
        public var modelDeviation = 0.05
        /// No residual is thought smaller.
        public var leastDeviation = 0.005
        /// An offset is proposed that is larger than this, and than so many of its deviations.
        public var leastOffset = 0.02
        public var deviations = 3.0
        /// A tilt that is known worse than this tells the parts of the field apart too badly. Unit: radians.
        public var tiltDeviation = 0.035
        /// Who is faster rides, and what rides along is iron. Unit: m/s.
        public var largestSpeed = 3.5
        /// Of the trial: what it takes at least and at most, and its parts. Units: seconds.
        public var trialSeconds = 600.0
        public var longestTrialSeconds = 1500.0
        public var partSeconds = 120.0
        /// Time constants of intensities and direction against which both are compared. Units: seconds.
        public var intensitySeconds = 120.0
        public var directionSeconds = 20.0
        /// The mean gain of a part must exceed zero by so many of its deviations.
        public var gainDeviations = 3.0
        /// Proven only if residuals fell at least to this share.
        public var largestResidualShare = 0.95
        /// And if the mean direction of the board is no longer than this, 1 being always the same, and the wearer has been
        /// so far away. Units: 1, metres.
        public var largestResultant = 0.7
        public var leastReach = 30.0
        public init() {}
    }
}
