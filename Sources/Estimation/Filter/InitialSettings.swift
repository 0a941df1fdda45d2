extension EstimatorSettings {
    /// How little is known at the start: standard deviations.
    public struct Initial: Hashable, Sendable {
        /// Tilt after levelling by one sample of a body at rest. Raise it where the start is rarely at rest. Unit: radians.
        public var tiltDeviation = 0.03
        /// Yaw that is not known: that of a uniform distribution, π/√3. Raise it to nothing: no angle is less known.
        /// Unit: radians.
        public var unknownYawDeviation = 1.8
        /// Yaw set by the magnetometer. Raise it to let later measurements turn it sooner. Unit: radians.
        public var magneticYawDeviation = 0.15
        /// Velocity. Raise it where the start is in motion. Unit: m/s.
        public var velocityDeviation = 0.5
        /// Position in a frame of its own before the first fix. Raise it to begin with a larger radius. Unit: metres.
        public var positionDeviation = 0.1
        /// Gyroscope bias. Raise it for parts that were never calibrated. Unit: rad/s (0.23 °/s).
        public var gyroBiasDeviation = 0.004
        /// Accelerometer bias. Raise it for parts that were never calibrated. Unit: m/s².
        public var accelerometerBiasDeviation = 0.05
        /// Hard iron per axis that a calibration leaves, in parts of the field. Raise it to trust calibrations less.
        public var hardIronFraction = 0.025
        /// The same of a magnetometer that has no calibration on record: a board's own parts may be as strong as the field.
        /// Raise it for boards with stronger magnets.
        public var uncalibratedHardIronFraction = 0.5
        /// The field to which the fraction refers while none is known. Raise it near the magnetic poles. Unit: microtesla.
        public var fieldForHardIron = 50.0
        /// Data before levelling counts as done. Raise it to publish the first pose later and better levelled.
        /// Unit: seconds.
        public var levellingSeconds = 0.5
        public init() {}
    }
}
