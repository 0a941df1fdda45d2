extension EstimatorSettings {
    /// Standard deviations at the start.
    public struct Initial: Hashable, Sendable {
        /// Standard deviation of the tilt after levelling by one sample at rest. Raise it where the start is rarely at
        /// rest. Unit: radians.
        public var tiltDeviation = 0.03
        /// Standard deviation of an unknown yaw: that of a uniform distribution, π/√3. Raise it to nothing: no angle is
        /// less known. Unit: radians.
        public var unknownYawDeviation = 1.8
        /// Standard deviation of a yaw set by the magnetometer. Raise it to let later measurements turn it sooner.
        /// Unit: radians.
        public var magneticYawDeviation = 0.15
        /// Standard deviation of the velocity, per axis. Raise it where the start is in motion. Unit: m/s.
        public var velocityDeviation = 0.5
        /// Standard deviation of the position in the local frame before the first fix, per axis. Raise it to begin with
        /// a larger radius. Unit: metres.
        public var positionDeviation = 0.1
        /// Standard deviation of the gyroscope bias, per axis. Raise it for sensors that were never calibrated. Unit:
        /// rad/s (0.23 °/s).
        public var gyroBiasDeviation = 0.004
        /// Standard deviation of the accelerometer bias, per axis. Raise it for sensors that were never calibrated.
        /// Unit: m/s².
        public var accelerometerBiasDeviation = 0.05
        /// Standard deviation of the hard iron that a calibration leaves, per axis, in parts of the field. Raise it to
        /// trust calibrations less.
        public var hardIronFraction = 0.025
        /// Standard deviation of the hard iron of a magnetometer without a calibration, per axis, in parts of the
        /// field: parts of a board may be magnetised as strongly as the field. Raise it for boards with stronger
        /// magnets.
        public var uncalibratedHardIronFraction = 0.5
        /// Field strength to which the fractions refer while none is known. Raise it near the magnetic poles. Unit:
        /// microtesla.
        public var fieldForHardIron = 50.0
        /// Duration of levelling. Raise it to publish the first pose later and better levelled. Unit: seconds.
        public var levellingSeconds = 0.5
        /// Makes the defaults.
        public init() {}
    }
}
