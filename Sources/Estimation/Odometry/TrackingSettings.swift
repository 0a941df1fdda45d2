extension EstimatorSettings {
    /// When the state is called what.
    public struct Tracking: Hashable, Sendable {
        /// Accuracies (68 %) that make the state localized; lost at the added margin. Units: metres, radians.
        public var horizontalAccuracy = 10.0
        public var horizontalMargin = 10.0
        public var yawAccuracy = 0.262
        public var yawMargin = 0.175
        /// Silence that is reported. Unit: seconds.
        public var inertialSilence = 0.5
        public var magneticSilence = 2.0
        public var gnssSilence = 5.0
        /// How long a reason stays after a gap. Unit: seconds.
        public var gapMemory = 2.0
        public init() {}
    }
}
