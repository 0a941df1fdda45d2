extension PublicationSettings {
    /// Settings of the search for a hard iron that appears while the board is worn, and of its trial.
    ///
    /// Fields are given as fractions of the current field strength. Times count only while the wearer walks.
    public struct HardIron: Hashable, Sendable {
        /// Time over which the field is averaged. Raise it to average more, with less resolution in turns. Unit:
        /// seconds. Origin: a stride or two.
        public var meanSeconds = 1.0
        /// Length of the window of the search. Raise it to include more turns in the search, at the cost of memory.
        /// Unit: seconds. Origin: about ten turns around corners.
        public var windowSeconds = 480.0
        /// Shortest time before an offset is proposed. Raise it to propose later and more reliably. Unit: seconds.
        /// Origin: three or four turns around corners.
        public var minimumSeconds = 180.0
        /// Time between two steps of the search. Raise it to save computing time. Unit: seconds. Origin: less than 1 %
        /// of the filter's own computing time.
        public var fitSeconds = 10.0
        /// Correlation time of disturbances. Raise it to propose later and more reliably. Unit: seconds. Origin: with
        /// this value, (69) covers the errors in simulated streets and houses.
        public var disturbanceSeconds = 5.0
        /// Length of the blocks of the jackknife. It must exceed the duration of any disturbance. Raise it to allow for
        /// longer disturbances. Unit: seconds. Origin: longer than it takes to pass a disturbance.
        public var blockSeconds = 30.0
        /// Degrees of freedom of the residuals' distribution. Raise it to give disturbed means more weight. Origin: a
        /// quarter of the means may be disturbed.
        public var freedom = 3.0
        /// Standard deviation of the hard iron, per axis, before any measurement. Raise it to find larger hard iron
        /// sooner. Origin: small enough that a component that no turn has revealed remains zero.
        public var priorStandardDeviation = 0.1
        /// Standard deviation of horizontal and upward intensity relative to the model. Raise it to trust the model
        /// less. Origin: scale error of a magnetometer that was never calibrated against a reference.
        public var modelStandardDeviation = 0.05
        /// Lower limit of the standard deviation of a residual. Raise it to give undisturbed walks less weight. Origin:
        /// 0.3° of tilt.
        public var minimumStandardDeviation = 0.005
        /// Smallest offset that is proposed. Raise it to propose only larger offsets. Origin: 2° of heading.
        public var minimumOffset = 0.02
        /// Number of standard deviations that a proposed offset must exceed. Raise it to propose later and more
        /// reliably.
        public var standardDeviations = 3.0
        /// Standard deviation of the tilt beyond which the field is not used, because its horizontal and upward
        /// components cannot be separated well enough. Raise it to use more of a walk. Unit: radians. Origin: 2°.
        public var tiltStandardDeviation = 0.035
        /// Speed beyond which the wearer is assumed to ride in a vehicle, whose iron moves with the wearer. Raise it to
        /// use faster runs. Unit: m/s. Origin: a fast run.
        public var maximumSpeed = 3.5
        /// Shortest duration of a trial. Raise it to prove later and more reliably. Unit: seconds. Origin: iron that is
        /// worn temporarily is gone within this time.
        public var trialSeconds = 600.0
        /// Longest duration of a trial. Raise it to give proposals more time. Unit: seconds. Origin: two and a half
        /// trials.
        public var maximumTrialSeconds = 1500.0
        /// Length of the parts of a trial. The proposal must be better in each part. Raise it to let each part see more
        /// turns. Unit: seconds. Origin: a street or two with their corner.
        public var partSeconds = 120.0
        /// Time constant of the mean intensities. A trial compares each new field with these means. Raise it to follow
        /// the local field more slowly. Unit: seconds. Origin: a street or two with their corner.
        public var intensitySeconds = 120.0
        /// Time constant of the mean direction. A trial compares each new field with this mean. Raise it to follow the
        /// local field, and the gyroscope's drift, more slowly. Unit: seconds. Origin: the gyroscope drifts by less
        /// than 1° in this time.
        public var directionSeconds = 20.0
        /// Number of standard deviations by which the mean gain over all parts must exceed zero. Raise it to prove
        /// later and more reliably.
        public var gainStandardDeviations = 3.0
        /// Limit to which the residuals must decrease, as a share of their previous size. Raise it to prove smaller
        /// improvements.
        public var maximumResidualShare = 0.95
        /// Limit of the length of the field's mean unit vector in the body frame. The length is 1 for a board that
        /// never turns. Raise it to prove with fewer turns. Origin: 0.9 for a wearer who looks about in a single
        /// street.
        public var maximumResultant = 0.7
        /// Distance from the start of the trial that the wearer must have reached. Raise it to prove only over larger
        /// areas. Unit: metres. Origin: more than the width of a room.
        public var minimumReach = 30.0
        package init() {}
    }
}
