extension EstimatorSettings {
    /// The magnetometer.
    public struct Magnetic: Hashable, Sendable {
        /// White noise of the yaw by the field, among fixes. Raise it to let the gyroscope carry the yaw for longer.
        /// Unit: rad·√s. Origin: simulated streets.
        public var yawNoise = 0.1
        /// The same without satellites. Raise it to let the gyroscope carry the yaw for longer. Unit: rad·√s.
        /// Origin: recordings with optical truth.
        public var unaidedYawNoise = 0.3
        /// Standard deviation of the local direction of the field, by iron of 3 µT beside a horizontal field of 21 µT. It is
        /// scaled up where the field is steeper. Raise it to trust fixes more than the field. Unit: radians.
        /// Origin, also of the next: streets turn the field by 3 to 6°, mounts by 2 to 10°.
        public var offsetDeviation = 0.16
        /// Way over which the local direction changes; at rest it does not. Raise it to let a walk average the direction
        /// less. Unit: metres.
        public var offsetLength = 120.0
        /// Estimated speed below which no way is counted, because it is noise. Raise it to keep the local direction constant
        /// at a higher speed. Unit: m/s.
        public var leastWaySpeed = 0.4
        /// Without satellites a field that stays alike while the board is moved about has a constant direction, too: standard
        /// deviation that a metre of way leaves of it. Raise it to let such motion confirm the yaw more slowly. Unit: rad·√m.
        public var likenessDeviation = 0.03
        /// Speed above which a hand's motion counts as way. Raise it to count only quicker motion. Unit: m/s.
        public var leastHandSpeed = 0.2
        /// Ratio of the error in direction to the differences of strength and dip from the model that reveal it. Raise it to
        /// distrust the yaw more where the field contradicts the model.
        public var contradictionFactor = 1.7
        /// Time for which a disturbance stays the same. Raise it to let a disturbed field count less. Unit: seconds.
        public var disturbanceSeconds = 20.0
        /// Time over which the strength of a disturbance is averaged. Raise it to notice disturbances later. Unit: seconds.
        public var discrepancyMeanSeconds = 1.0
        /// White noise of a field component against the model, in parts of the total. Raise it to learn hard iron more slowly.
        /// Unit: √s. Origin: a street's iron of 1.2 µT over 25 m of way.
        public var componentNoise = 0.1
        /// Random walk of the hard iron, in parts of the field. Raise it to follow a hard iron that changes. Unit: 1/√s.
        public var hardIronWalk = 2e-5
        /// Relative difference of the norm from the model's up to which a field is used. Raise it to use more disturbed
        /// fields.
        public var modelNormGate = 0.04
        /// The same of the inclination. Raise it to use more disturbed fields. Unit: radians.
        public var modelInclinationGate = 0.052
        /// Standard deviation of the tilt beyond which the tilt, not the field, is blamed for an inclination other than
        /// the model's. Raise it to blame the field after longer gaps in the inertial samples. Unit: radians.
        public var lostTilt = 0.1
        /// The same from which on the field is blamed again. Raise it to do so sooner after a gap. Unit: radians.
        public var knownTilt = 0.035
        /// Relative difference of the norm from the local field as it was learned, where no model is known. Raise it to use
        /// more disturbed fields.
        public var trackedNormGate = 0.07
        /// The same of the inclination, beyond what the deviations of tilt and learned inclination explain. Raise it to use
        /// more disturbed fields. Unit: radians.
        public var trackedInclinationGate = 0.03
        /// Time for which the field must have passed the gates before it counts. Raise it to return to the field later after
        /// a disturbance. Unit: seconds.
        public var settleSeconds = 0.5
        /// Standard deviations of the yaw's innovation beyond which a sample is left out. Raise it to let outliers turn the
        /// yaw.
        public var yawGate = 3.0
        /// Time after which a rejected field is used weakly. Raise it to let the gyroscope carry the yaw alone for longer.
        /// Unit: seconds.
        public var weakAfterSeconds = 60.0
        /// Factor of the variance of a weakly used field. Raise it to let such a field count less.
        public var weakFactor = 3.0
        /// Date for the magnetic model while no fix has reported one. Raise it when a newer model is built in. Unit: years.
        public var decimalYearWithoutClock = 2026.5
        /// A stronger field is refused. Raise it to accept sensors in smaller units. Unit: that of the magnetometer.
        public var largestField = 10_000.0
        /// Samples are averaged over this interval. Raise it to save computing time. Unit: seconds.
        public var meanSeconds = 0.095
        public init() {}
    }
}
