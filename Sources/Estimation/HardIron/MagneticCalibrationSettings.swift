extension EstimatorSettings {
    /// Estimator of hard iron and local field while the board turns.
    ///
    /// Fields are given in parts of the first field measured.
    public struct MagneticCalibration: Hashable, Sendable {
        /// Standard deviation of the hard iron per axis at the start. Raise it to learn a large one sooner.
        public var hardIronDeviation = 0.025
        /// Random walk of the hard iron. Raise it to follow one that changes. Unit: 1/√s.
        public var hardIronWalk = 5e-4
        /// Standard deviation of strength and upward part of the local field at the start. Raise it to explain a change
        /// by the place sooner than by the hard iron.
        public var placeDeviation = 0.1
        /// Random walk of strength and upward part over time, indoors. Raise it to explain changes by the place sooner.
        /// Unit: 1/√s.
        public var placeWalk = 0.003
        /// Random walk of strength and upward part over distance, while the wearer walks. Raise it to explain changes
        /// by the place sooner. Unit: 1/√m. Origin: 10 to 20 % over 5 to 20 m indoors.
        public var placeWayWalk = 0.04
        /// Standard deviation of the magnetometer's latency at the start: a sample interval, or its filter. Raise it to
        /// learn another latency sooner. Unit: seconds.
        public var delayDeviation = 0.012
        /// Random walk of the delay. Raise it to follow one that changes. Unit: s/√s.
        public var delayWalk = 2e-4
        /// Range to which the estimated delay is limited. Raise its upper bound for slower sensors. Unit: seconds.
        public var delayRange = -0.02...0.06
        /// Noise density of norm and upward part: a disturbance of 2 % that lasts for 4 s. Raise it to learn more
        /// slowly. Unit: √s.
        public var noise = 0.06
        /// Noise added while the board turns, times its angular rate. Raise it to learn less from quick turns.
        /// Unit: √s per rad/s.
        public var turningNoise = 5e-4
        /// Standard deviation of a usual indoor disturbance. Raise it to keep what was learned in spite of larger
        /// disturbances.
        public var disturbance = 0.025
        /// What was learned of hard iron and local field is given a larger variance once the mean squared innovation,
        /// divided by that of usual disturbances, exceeds this limit. Raise it to keep what was learned in spite of
        /// larger changes.
        public var doubtLimit = 2.0
        /// Time constant of that mean. Raise it to react later. Unit: seconds.
        public var doubtSeconds = 0.5
        /// Angular rate below which a change of the field is a change of the hard iron or of the place; one that
        /// appears in a faster rotation may have been there from the start. Raise it to attribute more changes to the
        /// present. Unit: rad/s.
        public var turningRate = 0.2
        /// Share of the initial variance of the hard iron below which it is confirmed. Raise it to confirm it sooner.
        public var confirmedShare = 0.8
        /// Number of standard deviations of the innovation beyond which the influence is bounded. Raise it to let
        /// disturbances change what was learned.
        public var gate = 3.0
        /// Factor of the calibrator's covariance at the handover to the filter: soft iron, which the calibrator does
        /// not model, looks like hard iron. Raise it to trust the calibrator less.
        public var caution = 3.0
        /// Standard deviation that is added at the handover for the same reason, in parts of the field. Raise it to
        /// trust the calibrator less.
        public var leastDeviation = 0.005
        /// Change of the hard iron, in parts of the field, that the filter takes over; smaller changes are usually soft
        /// iron, and following them would deflect the yaw. Raise it to follow only larger ones.
        public var leastChange = 0.03
        /// Squared Mahalanobis distance that such a change must exceed as well. Raise it to follow only surer ones.
        public var leastSquare = 16.0
        /// Standard deviation of the hard iron, in parts of the field, above which the field gives no north. Raise it
        /// to use the field for the yaw sooner.
        public var usableDeviation = 0.1
        /// Makes the defaults.
        public init() {}
    }
}
