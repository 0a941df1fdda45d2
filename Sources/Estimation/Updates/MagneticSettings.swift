extension EstimatorSettings {
    /// Error model of the magnetometer and of the local field.
    public struct Magnetic: Hashable, Sendable {
        /// Noise density of the yaw by the field, among fixes. Raise it to let the gyroscope determine the yaw for
        /// longer. Unit: rad·√s. Origin: simulated streets.
        public var yawNoise = 0.1
        /// Noise density of the yaw by the field, without satellites. Raise it to let the gyroscope determine the yaw
        /// for longer. Unit: rad·√s. Origin: recordings with optical truth.
        public var unaidedYawNoise = 0.3
        /// Standard deviation of the local direction of the field, by iron of 3 µT beside a horizontal field of 21 µT.
        /// It is scaled up where the field is steeper. Raise it to trust fixes more than the field. Unit: radians.
        /// Origin, also of the next: streets turn the field by 3 to 6°, mounts by 2 to 10°.
        public var offsetDeviation = 0.16
        /// Correlation length of the local direction, which does not change at rest. Raise it to let a walk average the
        /// direction less. Unit: metres.
        public var offsetLength = 120.0
        /// Estimated speed below which no distance is counted, because it is noise. Raise it to keep the local
        /// direction constant at a higher speed. Unit: m/s.
        public var leastWaySpeed = 0.4
        /// Noise density over distance of the local direction, without satellites, of a field that stays uniform while
        /// the board is moved about. Raise it to let such motion confirm the yaw more slowly. Unit: rad·√m.
        public var likenessDeviation = 0.03
        /// Speed above which the motion of a hand counts as distance. Raise it to count only quicker motion. Unit: m/s.
        public var leastHandSpeed = 0.2
        /// Ratio of the error in direction to the differences of strength and dip from the model that reveal it. Raise
        /// it to distrust the yaw more where the field contradicts the model.
        public var contradictionFactor = 1.7
        /// Correlation time of a disturbance. Raise it to let a disturbed field count less. Unit: seconds.
        public var disturbanceSeconds = 20.0
        /// Time over which the strength of a disturbance is averaged. Raise it to notice disturbances later. Unit:
        /// seconds.
        public var discrepancyMeanSeconds = 1.0
        /// Noise density of a field component against the model, in parts of the total. Raise it to learn hard iron
        /// more slowly. Unit: √s. Origin: a street's iron of 1.2 µT over 25 m of way.
        public var componentNoise = 0.1
        /// Random walk of the hard iron, in parts of the field. Raise it to follow a hard iron that changes. Unit:
        /// 1/√s.
        public var hardIronWalk = 2e-5
        /// Relative difference of the norm from the model's up to which a field is used. Raise it to use fields that
        /// are more disturbed.
        public var modelNormGate = 0.04
        /// Difference of the inclination from the model's up to which a field is used. Raise it to use fields that are
        /// more disturbed. Unit: radians.
        public var modelInclinationGate = 0.052
        /// Relative difference of the norm from the learned local field up to which a field is used where no model is
        /// known. Raise it to use fields that are more disturbed.
        public var trackedNormGate = 0.07
        /// Difference of the inclination from the learned one up to which a field is used, beyond the standard
        /// deviations of tilt and learned inclination. Raise it to use fields that are more disturbed. Unit: radians.
        public var trackedInclinationGate = 0.03
        /// Time for which the field must have passed the gates before it is used in full. Raise it to return to the
        /// field later after a disturbance. Unit: seconds.
        public var settleSeconds = 0.5
        /// Number of standard deviations of the yaw innovation beyond which a sample is rejected. Raise it to let
        /// outliers turn the yaw.
        public var yawGate = 3.0
        /// Time after which a rejected field is used weakly. Raise it to let the gyroscope determine the yaw alone for
        /// longer. Unit: seconds.
        public var weakAfterSeconds = 60.0
        /// Factor of the noise variance of a weakly used field. Raise it to let such a field count less.
        public var weakFactor = 3.0
        /// Date for the magnetic model while no fix has reported one. Raise it when a newer model is built in. Unit:
        /// years.
        public var decimalYearWithoutClock = 2026.5
        /// Field beyond which a sample is refused. Raise it to accept sensors in smaller units. Unit: that of the
        /// magnetometer.
        public var largestField = 10_000.0
        /// Interval over which samples are averaged. Raise it to save computing time. Unit: seconds.
        public var meanSeconds = 0.095
        /// Makes the defaults.
        public init() {}
    }
}
