extension EstimatorSettings {
    /// Vehicles: what is known of their motion while a receiver has shown one.
    public struct Vehicle: Hashable, Sendable {
        /// Standard deviation of the velocity across the vehicle's forward direction, beside that of the direction. Raise it
        /// to let the constraint count less. Unit: m/s. Origin: slip and lean in curves.
        public var slip = 0.1
        /// Time for which the error of the forward direction counts as the same. Raise it to let the constraint count less.
        /// Unit: seconds.
        public var directionSeconds = 2.0
        /// Error of the position that grows without fixes, as a share of the way at the last speed: it may brake and turn.
        /// Raise it to publish radii that grow faster in tunnels. Origin: simulated buses in tunnels.
        public var wayShare = 0.12
        public init() {}
    }
}
