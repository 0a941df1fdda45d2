extension EstimatorSettings {
    /// Satellite fixes.
    public struct GNSS: Hashable, Sendable {
        /// Share of the reported standard deviation that is correlated over `correlationSeconds`, and white.
        public var correlatedShare = 0.93
        public var whiteShare = 0.35
        public var correlationSeconds = 70.0
        /// Published positions count a part of the reported standard deviation that lasts for many minutes, which no
        /// averaging shows; raise it to publish larger radii. Multiplied by the root of the seconds between fixes.
        /// Origin: coverage of simulated walks whose receivers err for 60 and 300 s.
        public var lastingShare = 0.3
        /// The published standard deviation is at least this share of the reported one.
        public var leastShare = 0.75
        /// Fixes without a velocity that are worse than this, or rarer than the second figure, move the position alone:
        /// networks that locate phones. Units: metres, seconds.
        public var weakDeviation = 8.0
        public var weakInterval = 5.0
        /// Used where the receiver reports none. Units: metres, metres, m/s.
        public var horizontalDeviation = 5.0
        public var verticalDeviation = 10.0
        public var velocityDeviation = 0.3
        /// A receiver that tells its velocity by speed and course has no direction below this speed, and often rests there
        /// by decree: then its deviation is no less than the second. Units: m/s.
        public var courseSpeed = 1.0
        public var slowDeviation = 0.5
        /// Least standard deviations believed. Units: metres, m/s.
        public var leastPositionDeviation = 0.01
        public var leastVelocityDeviation = 0.1
        /// Share of the reported velocity deviation that is white, and correlated over `velocityCorrelationSeconds`.
        /// Origin: tried on simulated walks and on a recorded walk and drive with known errors.
        public var velocityWhiteShare = 0.6
        public var velocityCorrelatedShare = 0.28
        public var velocityCorrelationSeconds = 15.0
        /// The same in a vehicle, where the reflections change with the place.
        public var ridingVelocityShare = 0.16
        public var ridingVelocitySeconds = 8.0
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
        /// So many positions in a row beyond the gate are a leap: laid to the receiver's error if fixes came steadily for
        /// so long before, else the position is set anew. Unit: seconds.
        public var outliersToLeap = 3
        public var steadySeconds = 15.0
        /// Positions beyond the gate, or a leap beyond `resetDistance`, for so long set the position anew.
        /// Units: seconds, metres.
        public var resetSeconds = 10.0
        public var resetDistance = 50.0
        /// By how much a receiver's figures may fall short of its errors.
        public var largestPositionScale = 6.0
        /// How long it takes to learn that. Unit: seconds.
        public var positionScaleSeconds = 60.0
        /// A fix older than this against the newest inertial sample is refused. Unit: seconds.
        public var oldestSeconds = 2.5
        public init() {}
    }
}
