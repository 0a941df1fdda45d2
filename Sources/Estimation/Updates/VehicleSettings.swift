extension EstimatorSettings {
    /// Constraint of the motion of vehicles, which a receiver must have detected.
    public struct Vehicle: Hashable, Sendable {
        /// Standard deviation of the velocity across the vehicle's forward direction, beside the error of that
        /// direction. Raise it to let the constraint count less. Unit: m/s. Origin: slip and lean in curves.
        public var slip = 0.1
        /// Correlation time of the error of the forward direction. Raise it to let the constraint count less. Unit:
        /// seconds.
        public var directionSeconds = 2.0
        /// Growth of the position error without fixes, as a share of the way at the last speed, because the vehicle may
        /// brake and turn. Raise it to publish radii that grow faster in tunnels. Origin: simulated buses in tunnels.
        public var wayShare = 0.12
        /// Makes the defaults.
        public init() {}
    }
}
