extension EstimatorSettings {
    /// Satellite fixes.
    public struct GNSS: Hashable, Sendable {
        /// Share of the reported standard deviation that is correlated over `correlationSeconds`, and white.
        public var correlatedShare = 1.0
        public var whiteShare = 0.38
        public var correlationSeconds = 60.0
        /// Used where the receiver reports none. Units: metres, metres, m/s.
        public var horizontalDeviation = 5.0
        public var verticalDeviation = 10.0
        public var velocityDeviation = 0.3
        /// Least standard deviations believed. Units: metres, m/s.
        public var leastPositionDeviation = 0.01
        public var leastVelocityDeviation = 0.1
        /// Share of the reported velocity deviation that is white, and correlated over `velocityCorrelationSeconds`.
        /// Origin: tried on simulated walks and on a recorded walk and drive with known errors.
        public var velocityWhiteShare = 0.6
        public var velocityCorrelatedShare = 0.3
        public var velocityCorrelationSeconds = 10.0
        /// The vertical velocity is worse than the horizontal one by this factor.
        public var verticalVelocityFactor = 1.5
        /// By how much the receiver's velocity is older than its position, at the start. Unit: seconds.
        /// Origin: receivers that smooth were seen at 0.10 to 0.125 s, others have none.
        public var velocityDelaySeconds = 0.05
        /// How far that may be wrong: start and random walk. Units: seconds, s/√s.
        public var velocityDelayDeviation = 0.06
        public var velocityDelayWalk = 3e-4
        /// Standard deviations beyond which the influence is bounded.
        public var positionGate = 5.0
        public var velocityGate = 3.0
        /// So many positions in a row beyond the gate enlarge the position's variance.
        public var outliersToInflate = 3
        /// Positions beyond the gate for so long set the position anew. Unit: seconds.
        public var resetSeconds = 10.0
        /// A fix older than this against the newest inertial sample is refused. Unit: seconds.
        public var oldestSeconds = 2.5
        public init() {}
    }
}
