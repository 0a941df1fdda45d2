extension EstimatorSettings {
    /// How little is known at the start. Standard deviations.
    public struct Initial: Hashable, Sendable {
        /// Of the tilt after levelling by one sample of a body at rest. Unit: radians.
        public var tiltDeviation = 0.03
        /// Of a yaw that is not known: that of a uniform distribution, π/√3. Unit: radians.
        public var unknownYawDeviation = 1.8
        /// Of a yaw set by the magnetometer. Unit: radians.
        public var magneticYawDeviation = 0.15
        /// Unit: m/s.
        public var velocityDeviation = 0.5
        /// In a frame of its own before the first fix. Unit: metres.
        public var positionDeviation = 0.1
        /// Unit: rad/s (0.23 °/s).
        public var gyroBiasDeviation = 0.004
        /// Unit: m/s².
        public var accelerometerBiasDeviation = 0.05
        /// Standard deviation of the hard iron per axis that a calibration leaves, in parts of the field.
        public var hardIronFraction = 0.025
        /// The same of a magnetometer that has no calibration on record: a board's own parts may be as strong as the field.
        public var uncalibratedHardIronFraction = 0.5
        /// The field to which the fraction refers while none is known. Unit: microtesla.
        public var fieldForHardIron = 50.0
        /// Data before levelling counts as done. Unit: seconds.
        public var levellingSeconds = 0.5
        public init() {}
    }
}
