extension EstimatorSettings {
    /// Vehicles: what is known of their motion while a receiver has shown one.
    public struct Vehicle: Hashable, Sendable {
        /// Standard deviation of the velocity across the vehicle's forward direction, beside that of the direction.
        /// Unit: m/s. Origin: slip and lean in curves.
        public var slip = 0.1
        /// For which the error of the forward direction counts as the same. Unit: seconds.
        public var directionSeconds = 2.0
        /// Error of the position that grows without fixes, as a share of the way at the last speed: it may brake and turn.
        /// Origin: simulated buses in tunnels.
        public var wayShare = 0.12
        public init() {}
    }
}
