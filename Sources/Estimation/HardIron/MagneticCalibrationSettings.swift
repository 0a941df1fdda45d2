extension EstimatorSettings {
    /// What belongs to the magnetometer and what to the place, learned while the board turns.
    ///
    /// Fields are given in parts of the first field that was measured.
    public struct MagneticCalibration: Hashable, Sendable {
        /// Standard deviation of the hard iron per axis at the start. Raise it to learn a large one sooner.
        public var hardIronDeviation = 0.025
        /// Random walk of the hard iron. Raise it to follow one that changes. Unit: 1/√s.
        public var hardIronWalk = 5e-4
        /// Standard deviation of strength and upward part of the local field at the start. Raise it to explain a change by
        /// the place sooner than by the hard iron.
        public var placeDeviation = 0.1
        /// Their random walk, of a wearer who goes about indoors. Raise it to explain changes by the place sooner.
        /// Unit: 1/√s.
        public var placeWalk = 0.003
        /// Their random walk along the way while the wearer walks. Raise it to explain changes by the place sooner.
        /// Unit: 1/√m. Origin: 10 to 20 % over 5 to 20 m indoors.
        public var placeWayWalk = 0.04
        /// Standard deviation of the magnetometer's delay at the start: a sample interval or the filter of the part. Raise it
        /// to learn another delay sooner. Unit: seconds.
        public var delayDeviation = 0.012
        /// Random walk of the delay. Raise it to follow one that changes. Unit: s/√s.
        public var delayWalk = 2e-4
        /// Range to which the estimated delay is limited. Raise its upper bound for slower sensors. Unit: seconds.
        public var delayRange = -0.02...0.06
        /// Noise of norm and upward part: a disturbance of 2 % that stays for 4 s. Raise it to learn more slowly. Unit: √s.
        public var noise = 0.06
        /// Noise added while the board turns, times its angular rate. Raise it to learn less from quick turns.
        /// Unit: √s per rad/s.
        public var turningNoise = 5e-4
        /// Standard deviation of a usual indoor disturbance. Raise it to doubt less what was learned.
        public var disturbance = 0.025
        /// What was learned of hard iron and local field is given a larger variance once the mean squared innovation, divided
        /// by that of usual disturbances, exceeds this limit. Raise it to keep what was learned in spite of larger changes.
        public var doubtLimit = 2.0
        /// Time over which that mean is taken. Raise it to react later. Unit: seconds.
        public var doubtSeconds = 0.5
        /// A change of the field that appears while the board turns slower than this is a change of the hard iron or of the
        /// place; one that appears in a faster turn may have been there from the start. Raise it to put more changes down to
        /// the present. Unit: rad/s.
        public var turningRate = 0.2
        /// The hard iron counts as confirmed once its variance has fallen below this share of the initial one. Raise it to
        /// confirm it sooner.
        public var confirmedShare = 0.8
        /// Standard deviations beyond which the influence is bounded. Raise it to let disturbances change what was learned.
        public var gate = 3.0
        /// Factor by which the calibrator's covariance is enlarged before the filter takes it over, because soft iron, which
        /// the calibrator does not model, looks like hard iron. Raise it to trust the calibrator less.
        public var caution = 3.0
        /// Standard deviation that is added for the same reason, in parts of the field. Raise it to trust the calibrator less.
        public var leastDeviation = 0.005
        /// The filter takes over a hard iron that differs from its own by more than this part of the field; smaller changes
        /// are usually soft iron, and following them turns the yaw away. Raise it to follow only larger ones.
        public var leastChange = 0.03
        /// Squared Mahalanobis distance that such a change must exceed as well. Raise it to follow only surer ones.
        public var leastSquare = 16.0
        /// Standard deviation of the hard iron, in parts of the field, above which the field gives no north. Raise it to use
        /// the field for the yaw sooner.
        public var usableDeviation = 0.1
        public init() {}
    }
}
