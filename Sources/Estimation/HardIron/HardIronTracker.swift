import Geometry
import Model

/// Finds out slowly whether the board has come to carry an iron that its calibration does not know, and proves it before
/// anybody is told to believe it.
///
/// It observes only: no pose depends on it. It looks while the wearer walks, for who walks takes along what is on him and
/// leaves behind what stands about; what a vehicle takes along is none of the board's.
package struct HardIronTracker: Sendable {
    private let settings: EstimatorSettings.HardIron
    private var mean = LevelMean()
    private var window: Ring<LevelField>
    private var sinceFit = 0
    private var last: BootTime?
    /// What was measured up to then was corrected otherwise.
    private var ignoredUntil: BootTime?
    package private(set) var fit: HardIronFit?
    package private(set) var trial: HardIronTrial?

    package init(settings: EstimatorSettings.HardIron) {
        self.settings = settings
        window = Ring(capacity: max(1, Int(settings.windowSeconds / settings.meanSeconds)))
    }

    /// Another calibration of the magnetometer is in force from then on: what was found counts from the one before.
    package mutating func restart(at time: BootTime) {
        ignoredUntil = time
        mean = LevelMean()
        window.removeAll()
        sinceFit = 0
        fit = nil
        trial = nil
    }

    /// The level frame is another one, or may have turned unseen.
    package mutating func interrupt() {
        mean = LevelMean()
        trial?.loseDirection()
    }

    /// Takes the next reading; they come in the order of time, each once.
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

    /// Begins a trial, or gives one up.
    private mutating func review() {
        guard let fit, let covariance = fit.covariance else { return }
        if let trial {
            let isRefuted = trial.verdict == .refuted
            guard isRefuted || hasLeft(trial, fit, covariance) else { return }
            self.trial = nil
        }
        guard isSignificant(fit), Double(window.count) * settings.meanSeconds >= settings.leastSeconds else { return }
        trial = HardIronTrial(
            offset: fit.hardIron, deviation: Self.deviations(covariance), variance: fit.variance)
    }

    /// Whether the search has come to another result than what is on trial. What is proven stays until it is refuted.
    private func hasLeft(_ trial: HardIronTrial, _ fit: HardIronFit, _ covariance: Matrix<3, 3>) -> Bool {
        guard trial.verdict == .open, let factor = Cholesky(covariance) else { return false }
        let change = fit.hardIron - trial.offset
        let limit = settings.leastOffset * fit.strength / 2
        guard change.squaredNorm > limit * limit else { return false }
        return factor.squaredLength(change.column) / 3 > settings.deviations * settings.deviations
    }

    private func isSignificant(_ fit: HardIronFit) -> Bool {
        guard let significance = fit.significance else { return false }
        return significance > settings.deviations * settings.deviations
            && fit.hardIron.norm > settings.leastOffset * fit.strength
    }

    private static func deviations(_ covariance: Matrix<3, 3>) -> Vector3 {
        func root(_ i: Int) -> Double { max(0, covariance[i, i]).squareRoot() }
        return Vector3(root(0), root(1), root(2))
    }

    /// Nil while the calibration in force holds.
    package var proposal: HardIronProposal? {
        guard let trial, trial.verdict != .refuted else { return nil }
        return HardIronProposal(
            offset: trial.offset, deviation: trial.deviation, seconds: trial.seconds(settings),
            residualBefore: trial.residualBefore, residualAfter: trial.residualAfter,
            isProven: trial.verdict == .proven)
    }
}
