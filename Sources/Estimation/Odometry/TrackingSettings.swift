extension EstimatorSettings {
    /// Limits of the tracking states.
    public struct Tracking: Hashable, Sendable {
        /// Horizontal accuracy (68 %) that makes the state localized. Raise it to be localized sooner, with a worse
        /// position. Unit: metres.
        public var horizontalAccuracy = 10.0
        /// Margin of the horizontal accuracy before the state is lost. Raise it to make the state flicker less. Unit:
        /// metres.
        public var horizontalMargin = 10.0
        /// Accuracy of the yaw (68 %) that makes the state localized. Raise it to be localized sooner, with a worse
        /// heading. Unit: radians.
        public var yawAccuracy = 0.262
        /// Margin of the yaw accuracy before the state is lost. Raise it to make the state flicker less. Unit: radians.
        public var yawMargin = 0.175
        /// Silence of the inertial sensors that is reported. Raise it to report it later. Unit: seconds.
        public var inertialSilence = 0.5
        /// Silence of the magnetometer that is reported. Raise it to report it later. Unit: seconds.
        public var magneticSilence = 2.0
        /// Silence of the receiver that is reported. Raise it to report it later. Unit: seconds.
        public var gnssSilence = 5.0
        /// Time for which a gap is reported. Raise it to report it for longer. Unit: seconds.
        public var gapMemory = 2.0
        /// Makes the defaults.
        public init() {}
    }
}
