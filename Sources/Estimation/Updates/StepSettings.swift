#if canImport(Glibc)
    import Glibc
#endif

extension EstimatorSettings {
    /// Steps of a walking wearer.
    public struct Steps: Hashable, Sendable {
        /// Of the ratio between the true length of a step and the modelled one: start and random walk.
        /// Units: 1, 1/√s.
        public var scaleDeviation = 0.2
        public var scaleWalk = 0.003
        /// Of the walking direction against the board's: standard deviation and time constant. Units: radians, seconds.
        public var directionDeviation = 0.33
        public var directionSeconds = 60.0

        /// Length of a step of amplitude 1 m/s² that takes a second. Unit: metres.
        ///
        /// Length grows with amplitude^(1/3) and duration^(1/2), as walks with known length show; between Weinberg's
        /// fourth root, which knows no frequency, and the inverted pendulum's `√a·T`.
        public var lengthFactor = 0.48

        /// What a step can be. Units: seconds, m/s² between trough and peak.
        public var leastDuration = 0.28
        public var largestDuration = 1.1
        public var leastAmplitude = 0.6
        /// Where no velocity is known to judge: more than a hand does by chance.
        public var leastAmplitudeUnaided = 1.2
        public var largestAmplitude = 20.0
        /// Root mean square of the angular rate: a vehicle does not turn so much, a waving hand more. Unit: rad/s.
        public var leastRotationRate = 0.12
        public var largestRotationRate = 3.5
        /// Horizontal against vertical oscillation: a hand that swings does so in all directions.
        public var largestHorizontalShare = 1.0
        /// By how much a step may differ from the one before.
        public var largestDurationRatio = 1.45
        public var largestAmplitudeRatio = 2.8
        /// Steps in a row that fit each other until they count; within `memorySeconds` after the last one that is like
        /// the usual ones counts alone.
        public var stepsToBegin = 3
        /// Without satellites, where a hand's motion looks like steps: how clear they are to begin a walk. Units: m/s², 1,
        /// rad/s, seconds. Origin: hands turned about and walks on recordings with truth.
        public var clearAmplitude = 3.5
        public var clearHorizontalShare = 0.55
        public var clearRotationRate = 1.5
        public var leastClearDuration = 0.35
        public var largestClearDuration = 0.8
        /// Steps of any kind in a row that begin a walk all the same.
        public var regularToBegin = 8
        /// After a step the next that is possible counts for so long. Unit: seconds.
        public var recentSeconds = 1.5
        /// Duration of the first step of a walk, whose begin no peak tells. Unit: seconds.
        public var firstDuration = 0.55
        /// Standard deviations of a step without satellites, in parts of its length, along the way and across it.
        public var alongDeviation = 0.1
        public var acrossDeviation = 0.15
        /// Of a step's way that is recognised only at its end: the share that is left of it on average, and how much faster
        /// and slower than the step the way is made up.
        public var pendingShare = 0.45
        public var fastestPending = 2.5
        public var slowestPending = 0.5
        public var memorySeconds = 60.0
        /// After so many times the duration of a step without another one the wearer stands.
        public var pauseRatio = 1.7
        /// Smaller swings than this share of the usual amplitude are no walking.
        public var pauseShare = 0.4
        /// For so long after the last step. Unit: seconds.
        public var standingSeconds = 30.0
        /// Of "who does not walk stands": continuous noise. Unit: m/s·√s.
        public var standingNoise = 0.2
        public var standingGate = 5.0

        /// Standard deviation of a step's speed among fixes, in parts of it.
        public var speedDeviation = 0.12
        /// White part of the board's direction against the body's, a step. Unit: radians.
        public var boardDeviation = 0.15
        /// Steps over which an error of the line of walking stays the same.
        public var axisSteps = 10.0
        /// Of "the vertical speed is zero": continuous noise. Unit: m/s·√s.
        public var verticalNoise = 0.4
        public var gate = 3.0
        public init() {}

        /// Modelled length of a step. Units: m/s², seconds, metres.
        ///
        /// Equation: docs/filter.md (41).
        func length(amplitude: Double, duration: Double) -> Double {
            lengthFactor * cbrt(amplitude) * duration.squareRoot()
        }
    }
}
