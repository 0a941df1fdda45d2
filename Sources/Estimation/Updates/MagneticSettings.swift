extension EstimatorSettings {
    /// The magnetometer.
    public struct Magnetic: Hashable, Sendable {
        /// White noise of the yaw by the field, among fixes and without them. Raise it to let the gyroscope carry the yaw for
        /// longer. Unit: rad·√s. Origin: simulated streets; recordings with optical truth.
        public var yawNoise = 0.1
        public var unaidedYawNoise = 0.3
        /// Standard deviation of the local direction of the field, by iron of 3 µT beside a horizontal field of 21 µT, and
        /// the way over which it changes: at rest it does not. Where the field is steeper it is larger. Raise it to trust
        /// fixes more than the field. Units: radians, metres. Origin: streets turn the field by 3 to 6°, mounts by 2 to 10°.
        public var offsetDeviation = 0.16
        public var offsetLength = 120.0
        /// Slower the estimated velocity is noise and makes no way. Unit: m/s.
        public var leastWaySpeed = 0.4
        /// Without satellites a field that stays alike while the board is moved about points alike: what a metre of way
        /// leaves open of its direction, and the speed of a hand that makes way. Units: rad·√m, m/s.
        public var likenessDeviation = 0.03
        public var leastHandSpeed = 0.2
        /// A strength or dip that differs from the model's tells of as large a difference in direction, so many times.
        public var contradictionFactor = 1.7
        /// How long a disturbance stays the same, and over how long its strength is averaged. Unit: seconds.
        public var disturbanceSeconds = 20.0
        public var discrepancyMeanSeconds = 1.0
        /// White noise of a field component against the model, in parts of the total. Raise it to learn hard iron more slowly.
        /// Unit: √s. Origin: a street's iron of 1.2 µT over 25 m of way.
        public var componentNoise = 0.1
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
        /// Samples are averaged to this interval. Unit: seconds.
        public var meanSeconds = 0.095
        public init() {}
    }
}
