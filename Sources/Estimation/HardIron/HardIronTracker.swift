import Geometry
import Model

/// Slow search for a hard iron that the calibration does not contain, and its proof before it is proposed.
///
/// It observes only: no pose depends on it. It uses readings of a walking wearer, who carries the iron of the board
/// along and leaves that of the surroundings behind; the iron of a vehicle is not the board's.
package struct HardIronTracker: Sendable {
    private let settings: EstimatorSettings.HardIron
    private var mean = LevelMean()
    private var window: Ring<LevelField>
    private var sinceFit = 0
    private var last: BootTime?
    /// Time up to which readings were corrected by another calibration.
    private var ignoredUntil: BootTime?
    /// Present estimate; nil before the first.
    package private(set) var fit: HardIronFit?
    /// Present trial; nil without a proposal.
    package private(set) var trial: HardIronTrial?

    /// Makes a tracker without any reading.
    package init(settings: EstimatorSettings.HardIron) {
        self.settings = settings
        window = Ring(capacity: max(1, Int(settings.windowSeconds / settings.meanSeconds)))
    }

    /// Starts again under another calibration of the magnetometer, active from a time on.
    package mutating func restart(at time: BootTime) {
        ignoredUntil = time
        mean = LevelMean()
        window.removeAll()
        sinceFit = 0
        fit = nil
        trial = nil
    }

    /// Discards the present mean, because the gyro frame has changed or may have rotated unobserved.
    package mutating func interrupt() {
        mean = LevelMean()
        trial?.loseDirection()
    }

    /// Adds the next reading; readings come in the order of time.
    package mutating func add(_ reading: FieldReading) {
        if let last, reading.time <= last { return }
        last = reading.time
        if let ignoredUntil, reading.time <= ignoredUntil { return }
        guard reading.isUsable else { return mean = LevelMean() }
        guard let sample = mean.add(reading, over: settings.meanSeconds) else { return }
        window.append(sample)
        trial?.add(sample, settings: settings)
        sinceFit += 1
        guard sinceFit >= Int(settings.fitSeconds / settings.meanSeconds) else { return }
        sinceFit = 0
        refit(expected: reading.expected)
        review()
    }

    private mutating func refit(expected: FieldReading.Intensities?) {
        guard let first = window.first else { return }
        if fit == nil { fit = HardIronFit(first) }
        fit?.improve(over: window, expected: expected, settings: settings)
    }

    /// Starts a trial, or abandons one.
    private mutating func review() {
        guard let fit, let covariance = fit.covariance else { return }
        if let trial {
            let isRefuted = trial.verdict == .refuted
            guard isRefuted || hasLeft(trial, fit, covariance) else { return }
            self.trial = nil
        }
        guard isSignificant(fit), Double(window.count) * settings.meanSeconds >= settings.leastSeconds else { return }
        trial = HardIronTrial(
            offset: fit.hardIron, standardDeviation: Self.standardDeviations(covariance), variance: fit.variance)
    }

    /// Whether the estimate has moved away from what is on trial. A proven offset stays until it is refuted.
    private func hasLeft(_ trial: HardIronTrial, _ fit: HardIronFit, _ covariance: Matrix<3, 3>) -> Bool {
        guard trial.verdict == .open, let factor = Cholesky(covariance) else { return false }
        let change = fit.hardIron - trial.offset
        let limit = settings.leastOffset * fit.strength / 2
        guard change.squaredNorm > limit * limit else { return false }
        return factor.squaredLength(change.column) / 3 > settings.standardDeviations * settings.standardDeviations
    }

    private func isSignificant(_ fit: HardIronFit) -> Bool {
        guard let significance = fit.significance else { return false }
        return significance > settings.standardDeviations * settings.standardDeviations
            && fit.hardIron.norm > settings.leastOffset * fit.strength
    }

    private static func standardDeviations(_ covariance: Matrix<3, 3>) -> Vector3 {
        func root(_ i: Int) -> Double { max(0, covariance[i, i]).squareRoot() }
        return Vector3(root(0), root(1), root(2))
    }

    /// Hard iron on trial or proven; nil while the active calibration is right.
    package var proposal: HardIronProposal? {
        guard let trial, trial.verdict != .refuted else { return nil }
        return HardIronProposal(
            offset: trial.offset, standardDeviation: trial.standardDeviation, seconds: trial.seconds(settings),
            residualBefore: trial.residualBefore, residualAfter: trial.residualAfter,
            isProven: trial.verdict == .proven)
    }
}

/// Proposal of a hard iron that has appeared while the board is worn.
public struct HardIronProposal: Hashable, Sendable {
    /// Offset to subtract from the corrected field, hence to add to the active hard iron: with the correction C and the
    /// bias b of the magnetometer's calibration, `C·(measured − b) − offset`, so that the new bias is `b + C⁻¹·offset`.
    ///
    /// Frame: body. Unit: that of the corrected field, microtesla.
    public var offset: Vector3
    /// Standard deviation of the offset, per axis.
    public var standardDeviation: Vector3
    /// Walking time over which both were compared, since the proposal was made. Unit: seconds.
    public var seconds: Double
    /// Root mean square residual of the field, predicted from its recent past, with the active calibration.
    /// Unit: that of the offset.
    public var residualBefore: Double
    /// Root mean square residual with the proposed offset. Unit: that of the offset.
    public var residualAfter: Double
    /// Whether the proposal has been better throughout at least ten minutes of walking, in many directions and in more
    /// than one place.
    public var isProven: Bool

    /// Makes a proposal.
    public init(
        offset: Vector3, standardDeviation: Vector3, seconds: Double, residualBefore: Double, residualAfter: Double,
        isProven: Bool
    ) {
        self.offset = offset
        self.standardDeviation = standardDeviation
        self.seconds = seconds
        self.residualBefore = residualBefore
        self.residualAfter = residualAfter
        self.isProven = isProven
    }
}

extension EstimatorSettings {
    /// Search for a hard iron that appears while the board is worn, and its trial.
    ///
    /// Fields are given in parts of the present field. Times count while the wearer walks.
    public struct HardIron: Hashable, Sendable {
        /// Time over which the field is averaged. Raise it to resolve turns less. Unit: seconds.
        public var meanSeconds = 1.0
        /// Length of the window of the search. Raise it to search with more turns, in more memory. Unit: seconds.
        public var windowSeconds = 480.0
        /// Least time before anything is proposed. Raise it to propose later and more surely. Unit: seconds.
        public var leastSeconds = 180.0
        /// Time between two steps of the search. Raise it to save computing time. Unit: seconds.
        public var fitSeconds = 10.0
        /// Correlation time of disturbances. Raise it to propose later and more surely. Unit: seconds.
        public var disturbanceSeconds = 5.0
        /// Length of the blocks of the jackknife, longer than any disturbance. Raise it to allow for longer
        /// disturbances. Unit: seconds.
        public var blockSeconds = 30.0
        /// Degrees of freedom of the residuals' distribution. Raise it to let disturbed means count more.
        public var freedom = 3.0
        /// Standard deviation of the hard iron per axis before any measurement. Raise it to find larger ones sooner.
        public var priorStandardDeviation = 0.1
        /// Standard deviation of horizontal and upward intensity against the model's. Raise it to trust the model less.
        public var modelStandardDeviation = 0.05
        /// Least standard deviation of a residual. Raise it to trust very quiet walks less.
        public var leastStandardDeviation = 0.005
        /// Least offset that is proposed. Raise it to propose only larger ones.
        public var leastOffset = 0.02
        /// Number of its standard deviations that a proposed offset must exceed. Raise it to propose later and more
        /// surely.
        public var standardDeviations = 3.0
        /// Standard deviation of the tilt beyond which the components of the field are not separated well enough. Raise
        /// it to use more of a walk. Unit: radians.
        public var tiltStandardDeviation = 0.035
        /// Speed beyond which the wearer rides, in a vehicle whose iron comes along. Raise it to use faster runs.
        /// Unit: m/s.
        public var largestSpeed = 3.5
        /// Least duration of a trial. Raise it to prove later and more surely. Unit: seconds.
        public var trialSeconds = 600.0
        /// Largest duration of a trial. Raise it to give proposals more time. Unit: seconds.
        public var longestTrialSeconds = 1500.0
        /// Length of the parts of a trial, each of which must be better. Raise it to let each part see more turns.
        /// Unit: seconds.
        public var partSeconds = 120.0
        /// Time constant of the intensities with which a trial compares. Raise it to follow the place more slowly.
        /// Unit: seconds.
        public var intensitySeconds = 120.0
        /// Time constant of the direction with which a trial compares. Raise it to follow the place, and the
        /// gyroscope's drift, more slowly. Unit: seconds.
        public var directionSeconds = 20.0
        /// Number of its standard deviations that the mean gain of a part exceeds. Raise it to prove later and more
        /// surely.
        public var gainStandardDeviations = 3.0
        /// Share to which the residuals must fall. Raise it to prove smaller improvements.
        public var largestResidualShare = 0.95
        /// Largest length of the mean direction of the board, 1 being always the same. Raise it to prove with fewer
        /// turns.
        public var largestResultant = 0.7
        /// Least distance from where the trial began. Raise it to prove only over larger areas. Unit: metres.
        public var leastReach = 30.0
        /// Makes the defaults.
        public init() {}
    }
}

extension HardIronTracker: StateCoded {
    package mutating func code(_ coder: inout StateCoder) {
        coder.leave("settings")
        coder.code(&mean, "mean")
        coder.code(&window, "window")
        coder.code(&sinceFit, "sinceFit", in: StateCoder.counts)
        coder.code(&last, "last")
        coder.code(&ignoredUntil, "ignoredUntil")
        coder.code(&fit, "fit")
        coder.code(&trial, "trial")
    }
}
