import Estimation
import Geometry
import Model

/// Searches slowly for a hard iron that the calibration does not contain, and tries it before it counts as proven.
///
/// The search only observes, so no pose depends on it. It uses readings only while the wearer walks, because then the
/// iron of the board moves with the wearer and the iron of the surroundings does not. The iron of a vehicle moves with
/// the wearer too, but does not belong to the board.
package struct HardIronTracker: Sendable, Codable {
    private let settings: PublicationSettings.HardIron
    private var mean = LevelMean()
    private var window: Ring<LevelField>
    private var sinceFit = 0
    private var last: BootTime?
    /// Time up to which readings are ignored, because another calibration corrected them.
    private var ignoredUntil: BootTime?
    /// Current estimate; nil before the first one.
    package private(set) var fit: HardIronFit?
    /// Current trial; nil without a proposal.
    package private(set) var trial: HardIronTrial?

    package init(settings: PublicationSettings.HardIron) {
        self.settings = settings
        window = Ring(capacity: Self.windowCount(settings))
    }

    private static func windowCount(_ settings: PublicationSettings.HardIron) -> Int {
        max(1, Int(settings.windowSeconds / settings.meanSeconds))
    }

    /// Restarts the search because another calibration of the magnetometer takes effect at a given time.
    package mutating func restart(at time: BootTime) {
        ignoredUntil = time
        mean = LevelMean()
        window.removeAll()
        sinceFit = 0
        fit = nil
        trial = nil
    }

    /// Discards the current mean, because the gyro frame has changed or may have rotated unobserved.
    package mutating func interrupt() {
        mean = LevelMean()
        trial?.loseDirection()
    }

    /// Adds the next reading. Readings must be added in chronological order.
    package mutating func add(_ reading: FieldReading) {
        if let last, reading.time <= last { return }
        last = reading.time
        if let ignoredUntil, reading.time <= ignoredUntil { return }
        guard isUsable(reading) else { return mean = LevelMean() }
        guard let sample = mean.add(reading, over: settings.meanSeconds) else { return }
        window.append(sample)
        trial?.add(sample, settings: settings)
        sinceFit += 1
        guard sinceFit >= Int(settings.fitSeconds / settings.meanSeconds) else { return }
        sinceFit = 0
        refit(expected: reading.expected)
        review()
    }

    /// Whether the wearer walks, the tilt is known and no vehicle is involved. Only then does a constant iron belong to
    /// the board.
    private func isUsable(_ reading: FieldReading) -> Bool {
        reading.isWalk && reading.speed ?? 0 <= settings.maximumSpeed
            && reading.tiltStandardDeviation < settings.tiltStandardDeviation
    }

    private mutating func refit(expected: FieldReading.Intensities?) {
        guard let first = window.first else { return }
        if fit == nil { fit = HardIronFit(first) }
        fit?.improve(over: window, expected: expected, settings: settings)
    }

    /// Starts or abandons a trial.
    private mutating func review() {
        guard let fit, let covariance = fit.covariance else { return }
        if let trial {
            let isRefuted = trial.verdict == .refuted
            guard isRefuted || hasLeft(trial, fit, covariance) else { return }
            self.trial = nil
        }
        guard isSignificant(fit), Double(window.count) * settings.meanSeconds >= settings.minimumSeconds else { return }
        trial = HardIronTrial(
            offset: fit.hardIron, standardDeviation: Self.standardDeviations(covariance), variance: fit.variance)
    }

    /// Whether the estimate has moved away from the offset on trial. A proven offset stays until it is refuted.
    private func hasLeft(_ trial: HardIronTrial, _ fit: HardIronFit, _ covariance: Matrix<3, 3>) -> Bool {
        guard trial.verdict == .open, let factor = Cholesky(covariance) else { return false }
        let change = fit.hardIron - trial.offset
        let limit = settings.minimumOffset * fit.strength / 2
        guard change.squaredNorm > limit * limit else { return false }
        return factor.squaredLength(change.column) / 3 > settings.standardDeviations * settings.standardDeviations
    }

    private func isSignificant(_ fit: HardIronFit) -> Bool {
        guard let significance = fit.significance else { return false }
        return significance > settings.standardDeviations * settings.standardDeviations
            && fit.hardIron.norm > settings.minimumOffset * fit.strength
    }

    private static func standardDeviations(_ covariance: Matrix<3, 3>) -> Vector3 {
        func root(_ i: Int) -> Double { max(0, covariance[i, i]).squareRoot() }
        return Vector3(root(0), root(1), root(2))
    }

    /// Hard iron on trial or proven; nil while the active calibration is valid.
    package var proposal: ProposedHardIron? {
        guard let trial, trial.verdict != .refuted else { return nil }
        return ProposedHardIron(
            offset: trial.offset, standardDeviation: trial.standardDeviation, seconds: trial.seconds(settings),
            residualBefore: trial.residualBefore, residualAfter: trial.residualAfter,
            isProven: trial.verdict == .proven)
    }
}

/// Proposal of a hard iron that has appeared while the board is worn.
public struct ProposedHardIron: Hashable, Sendable {
    /// Offset to subtract from the corrected field, that is, to add to the active hard iron. With the correction C and
    /// the bias b of the magnetometer's calibration, the field is `C·(measured − b) − offset`, so the new bias is `b +
    /// C⁻¹·offset`.
    ///
    /// Frame: body. Unit: that of the corrected field, microtesla.
    public var offset: Vector3
    /// Standard deviation of the offset, per axis.
    public var standardDeviation: Vector3
    /// Walking time since the proposal was made, over which calibration and proposal were compared. Unit: seconds.
    public var seconds: Double
    /// RMS difference between the field and its prediction from the recent past, with the active calibration. Unit:
    /// that of the offset.
    public var residualBefore: Double
    /// The same RMS difference with the proposed offset. Unit: that of the offset.
    public var residualAfter: Double
    /// Whether the proposal has been consistently better during at least ten minutes of walking, in many directions and
    /// in more than one place.
    public var isProven: Bool
}

extension HardIronTracker: CheckedState {
    package mutating func settle() -> Bool { window.limit(to: Self.windowCount(settings)) }
}
