extension EstimatorSettings {
    /// The magnetometer.
    public struct Magnetic: Hashable, Sendable {
        /// White noise across the horizontal field, in parts of the total field, aided. Unit: √s (0.9 % at 50 Hz).
        public var crossNoise = 0.00127
        /// White noise of the yaw in the unaided mode, in which the field is all that holds the heading. Unit: rad·√s.
        public var unaidedYawNoise = 0.3
        /// A field that is suddenly another one counts with so many times that noise, until it stayed for so long.
        /// Units: 1, seconds.
        public var newFieldFactor = 3.0
        public var newFieldSeconds = 10.0
        /// Of the local direction of the field: standard deviation and time constant. Units: radians, seconds.
        public var offsetDeviation = 0.004
        public var offsetSeconds = 20.0
        /// How long a disturbance stays the same, and over how long its strength is averaged. Unit: seconds.
        public var disturbanceSeconds = 3.0
        public var discrepancyMeanSeconds = 1.0
        /// White noise of a field component against the model, in parts of the total. Unit: √s.
        public var componentNoise = 0.004
        /// Random walk of the hard iron, in parts of the field. Unit: 1/√s.
        public var hardIronWalk = 2e-5
        /// Gates of norm (relative) and inclination (radians) against the model's field.
        public var modelNormGate = 0.04
        public var modelInclinationGate = 0.052
        /// Gates against the local field as it was learned.
        public var trackedNormGate = 0.07
        public var trackedInclinationGate = 0.17
        /// The field must have passed for so long before it counts. Unit: seconds.
        public var settleSeconds = 0.5
        /// Standard deviations of the yaw's innovation beyond which a sample is left out.
        public var yawGate = 3.0
        /// A field rejected for so long is used weakly. Unit: seconds.
        public var weakAfterSeconds = 60.0
        /// Enlarges the variance of a weak field.
        public var weakFactor = 3.0
        /// For the model, while no fix has told the date.
        public var decimalYearWithoutClock = 2026.5
        /// Beyond this a sample is refused. Unit: that of the magnetometer.
        public var largestField = 10_000.0
        /// Samples are averaged to this interval, aided and in the unaided mode. Unit: seconds.
        public var meanSeconds = 0.019
        public var unaidedMeanSeconds = 0.05
        public init() {}
    }
}
