extension EstimatorSettings {
    /// Error model of satellite fixes and their checks.
    public struct GNSS: Hashable, Sendable {
        /// Share of the reported standard deviation of a position that is correlated over `correlationSeconds`. Raise
        /// it to let a series of fixes count less.
        public var correlatedShare = 0.93
        /// Share of the reported standard deviation of a position that is white. Raise it to let a single position
        /// count less.
        public var whiteShare = 0.35
        /// Correlation time of position errors. Raise it to let the position follow the receiver more slowly. Unit:
        /// seconds.
        public var correlationSeconds = 70.0
        /// Share of the reported standard deviation that lasts for many minutes, so that no averaging reveals it, and
        /// is added to published accuracies; multiplied by the root of the seconds between fixes. Raise it to publish
        /// larger radii. Origin: coverage on simulated walks whose receivers have errors that last for 60 and 300 s.
        public var lastingShare = 0.3
        /// Least published standard deviation, as a share of the reported one. Raise it to publish larger radii while
        /// many fixes have been averaged.
        public var leastShare = 0.75
        /// Standard deviation of a fix without a velocity from which it corrects the position alone, such as one by
        /// mobile networks. Raise it to let worse fixes correct the whole state. Unit: metres.
        public var weakDeviation = 8.0
        /// Interval between fixes without a velocity beyond which they correct the position alone. Raise it to let
        /// rarer fixes correct the whole state. Unit: seconds.
        public var weakInterval = 5.0
        /// Standard deviation of a horizontal position where the receiver reports none. Raise it to let such fixes
        /// count less. Unit: metres.
        public var horizontalDeviation = 5.0
        /// Standard deviation of a height where the receiver reports none. Raise it to let such heights count less.
        /// Unit: metres.
        public var verticalDeviation = 10.0
        /// Standard deviation of a velocity where the receiver reports none. Raise it to let such velocities count
        /// less. Unit: m/s.
        public var velocityDeviation = 0.3
        /// A receiver that reports speed and course has no usable course below this speed, and often clamps the speed
        /// to zero (static hold). Raise it to distrust slow velocities of such receivers up to a higher speed. Unit:
        /// m/s.
        public var courseSpeed = 1.0
        /// Least standard deviation of a velocity below `courseSpeed`. Raise it to let such velocities count less.
        /// Unit: m/s.
        public var slowDeviation = 0.5
        /// Least standard deviation of a position, whatever the receiver reports. Raise it to trust very precise
        /// receivers less. Unit: metres.
        public var leastPositionDeviation = 0.01
        /// Least standard deviation of a velocity, whatever the receiver reports. Raise it to trust very precise
        /// receivers less. Unit: m/s.
        public var leastVelocityDeviation = 0.1
        /// Share of the reported standard deviation of a velocity that is white. Raise it to let a single velocity
        /// count less. Origin, also of the next two: tried on simulated walks and on a recorded walk and drive with
        /// known errors.
        public var velocityWhiteShare = 0.6
        /// Share of the reported standard deviation of a velocity that is correlated over `velocityCorrelationSeconds`.
        /// Raise it to let a series of velocities count less.
        public var velocityCorrelatedShare = 0.28
        /// Correlation time of velocity errors. Raise it to let the velocity follow the receiver more slowly. Unit:
        /// seconds.
        public var velocityCorrelationSeconds = 15.0
        /// `velocityCorrelatedShare` in a vehicle, where multipath changes with the place. Raise it to let a series of
        /// velocities count less while riding.
        public var ridingVelocityShare = 0.16
        /// `velocityCorrelationSeconds` in a vehicle. Raise it to let the velocity follow the receiver more slowly
        /// while riding. Unit: seconds.
        public var ridingVelocitySeconds = 8.0
        /// Share of the reported standard deviation of a velocity that is correlated where velocities wander. Raise it
        /// to let the velocities of such a receiver count less. Origin, also of the next: simulated walks whose
        /// velocities are off for a minute.
        public var wanderingShare = 0.9
        /// Correlation time of velocities that wander. Raise it to follow such a receiver more slowly. Unit: seconds.
        public var wanderingSeconds = 60.0
        /// Probability that the velocities of a receiver wander, before its positions have been compared with them.
        /// Raise it to act on less evidence.
        public var wanderingPrior = 0.05
        /// Time constant with which the evidence for and against wandering velocities fades. Raise it to judge a
        /// receiver by a longer past. Unit: seconds.
        public var wanderingMemory = 300.0
        /// Ratio of the standard deviations of vertical and horizontal velocity. Raise it to let vertical velocities
        /// count less.
        public var verticalVelocityFactor = 1.5
        /// Latency of the velocity relative to the fix epoch, as assumed at the start. Raise it to begin with an older
        /// velocity. Unit: seconds. Origin: receivers that smooth were seen at 0.10 to 0.125 s, others have none.
        public var velocityDelaySeconds = 0.05
        /// Standard deviation of that latency at the start. Raise it to learn another latency sooner. Unit: seconds.
        public var velocityDelayDeviation = 0.06
        /// Random walk of that latency. Raise it to follow a latency that changes. Unit: s/√s.
        public var velocityDelayWalk = 3e-4
        /// Number of standard deviations of the innovation beyond which the influence of a position is bounded. Raise
        /// it to let outliers move the position more.
        public var positionGate = 5.0
        /// Number of standard deviations of the innovation beyond which the influence of a velocity is bounded. Raise
        /// it to let outliers move velocity and heading more.
        public var velocityGate = 3.0
        /// Number of successive positions beyond the gate that make a jump. Raise it to act on jumps later.
        public var outliersToJump = 3
        /// A jump after fixes that came steadily for this long is assigned to the receiver's error, as multipath; any
        /// other sets the position anew. Raise it to let more jumps set the position anew. Unit: seconds.
        public var steadySeconds = 15.0
        /// Time after which positions beyond the gate, or a receiver's error beyond `resetDistance`, set the position
        /// anew. Raise it to hold out against multipath for longer, and to recover later from a wrong position. Unit:
        /// seconds.
        public var resetSeconds = 10.0
        /// Error of the receiver beyond which it counts as a wrong position. Raise it to let larger errors last without
        /// setting the position anew. Unit: metres.
        public var resetDistance = 50.0
        /// Largest factor by which reported standard deviations are multiplied. Raise it to cope with receivers whose
        /// accuracies are more over-optimistic.
        public var largestPositionScale = 6.0
        /// Time constant with which that factor adapts. Raise it to let bursts of errors change it less. Unit: seconds.
        public var positionScaleSeconds = 60.0
        /// Age of a fix against the newest inertial sample beyond which it is refused; snapshots reach back for 3.2 s.
        /// Raise it to accept later fixes. Unit: seconds.
        public var oldestSeconds = 2.5
        /// Makes the defaults.
        public init() {}
    }
}
