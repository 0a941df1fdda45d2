import Geodesy
import Geometry
import Measurements

/// Judges the local field: by the model where the place is known, else against what was learned of it.
package struct MagneticMonitor: Sendable {
    /// How far the present field may be believed.
    package enum Verdict: UInt8, Hashable, Sendable {
        case good
        case weak
        case refused
    }

    /// Norm and inclination of a field. Units: those of the magnetometer, radians.
    package struct Shape: Hashable, Sendable {
        package var norm: Double
        package var inclination: Double

        package init(norm: Double, inclination: Double) {
            self.norm = norm
            self.inclination = inclination
        }

        /// In microtesla.
        fileprivate init(_ field: GeomagneticField) {
            self.init(norm: field.totalIntensity / 1000, inclination: field.inclination)
        }

        fileprivate func lies(near other: Shape, norm gate: Double, inclination angle: Double) -> Bool {
            (norm / other.norm - 1).magnitude < gate && (inclination - other.inclination).magnitude < angle
        }
    }

    /// Samples since the last that was used, and what they have told so far.
    package var mean = MagneticMean()
    package var calibrator: MagneticCalibrator?
    /// Variance that the hard iron's own change has added since the filter last took it over.
    var changeVariance = 0.0
    /// Way of the hand since the last likeness update. Unit: metres.
    private var handWay = 0.0
    /// Slow mean of the norm while it passes, with the filter's own hard iron removed.
    package private(set) var norm: Double?
    package private(set) var verdict = Verdict.refused
    /// The last sample that came, the last that was looked at, and the last that corrected.
    package private(set) var lastSample: BootTime?
    package var lastUse: BootTime?
    package var lastCorrection: BootTime?
    /// Since when yaw innovations have been beyond their gate without a break.
    package var contradictedSince: BootTime?
    /// Normalised innovation squared (NIS) of the last yaw.
    package var yawSquare = 0.0

    /// Of what was measured lately against what is expected. Units: parts of the norm, radians.
    private var normDiscrepancy = 0.0
    private var inclinationDiscrepancy = 0.0
    /// The tilt was lost, as in a gap of the inertial samples, and is not yet known again.
    private var isTiltLost = false
    private var passedSince: BootTime?
    private var refusedSince: BootTime?

    package init() {}

    /// Variance of one component of a disturbance, by what is seen of it along the field and across it in the vertical
    /// plane: where it points is not known, so it is thought as strong in the third direction, which turns the yaw.
    ///
    /// Unit: squared parts of the field.
    package var disturbanceVariance: Double {
        (normDiscrepancy * normDiscrepancy + inclinationDiscrepancy * inclinationDiscrepancy) / 2
    }

    /// Adds way over which a hand has moved the board. Unit: metres.
    mutating func add(handWay way: Double) { handWay += way }

    /// The way of the hand since the last call. Unit: metres.
    mutating func takeHandWay() -> Double {
        defer { handWay = 0 }
        return handWay
    }

    /// The sensor is put right in another way: what was learned of the field through it is void.
    mutating func restart() {
        let before = self
        self = MagneticMonitor()
        (lastSample, lastUse, lastCorrection) = (before.lastSample, before.lastUse, before.lastCorrection)
    }

    /// Unit: that of the magnetometer.
    func fieldStrength(_ settings: EstimatorSettings) -> Double {
        calibrator?.strength ?? settings.initial.fieldForHardIron
    }

    /// Whether the samples are in microtesla as far as the model can tell: some sources have a unit of their own.
    func isInMicrotesla(_ field: GeomagneticField) -> Bool {
        guard let calibrator else { return true }
        let ratio = calibrator.strength / (field.totalIntensity / 1000)
        return ratio > 0.6 && ratio < 1.6
    }

    /// Judges a sample, hard iron removed.
    ///
    /// - Parameters:
    ///   - iron: standard deviation of the hard iron, in parts of the field.
    ///   - tilt: standard deviation of the tilt, by which the field's inclination is measured wrong. Unit: radians.
    package mutating func assess(
        _ shape: Shape, model: GeomagneticField?, iron: Double, tilt: Double, isUnaided: Bool, at time: BootTime,
        settings: EstimatorSettings.Magnetic
    ) -> Verdict {
        let interval = min(1, max(0, lastSample.map { time.seconds(since: $0) } ?? 0))
        lastSample = time
        isTiltLost = tilt > (isTiltLost ? settings.knownTilt : settings.lostTilt)
        let model = model.flatMap { isInMicrotesla($0) ? Shape($0) : nil }
        let learned = calibrator.map { Shape(norm: $0.strength, inclination: $0.inclination) }
        if let expected = model ?? learned { compare(shape, with: expected, interval, settings) }
        let passes =
            if let model { agrees(shape, withModel: model, iron: iron, tilt: tilt, settings) } else {
                agrees(shape, withLearned: learned, tilt: tilt, settings)
            }
        if passes {
            norm = (norm ?? shape.norm) + interval / Self.normSeconds * (shape.norm - (norm ?? shape.norm))
            refusedSince = nil
            let since = passedSince ?? time
            passedSince = since
            let isSettled = time.seconds(since: since) >= settings.settleSeconds
            verdict = isSettled ? .good : isUnaided ? .weak : .refused
        } else {
            passedSince = nil
            let since = refusedSince ?? time
            refusedSince = since
            let isOld = time.seconds(since: since) >= settings.weakAfterSeconds
            verdict = isUnaided || isOld ? .weak : .refused
        }
        return verdict
    }

    /// Unit: seconds.
    private static let normSeconds = 20.0

    /// An inclination that is measured by a lost tilt is the tilt's error, and is not held against the field.
    private mutating func compare(
        _ shape: Shape, with expected: Shape, _ interval: Double, _ settings: EstimatorSettings.Magnetic
    ) {
        let share = min(1, interval / settings.discrepancyMeanSeconds)
        normDiscrepancy += share * (shape.norm / expected.norm - 1 - normDiscrepancy)
        let inclination = isTiltLost ? expected.inclination : shape.inclination
        inclinationDiscrepancy += share * (inclination - expected.inclination - inclinationDiscrepancy)
    }

    /// Two standard deviations of the hard iron may add to the norm and to the inclination, and two of a lost tilt to
    /// the inclination.
    private func agrees(
        _ shape: Shape, withModel model: Shape, iron: Double, tilt: Double, _ settings: EstimatorSettings.Magnetic
    ) -> Bool {
        let allowance = 2 * iron
        let tilted = isTiltLost ? 2 * tilt : 0
        return shape.lies(
            near: model, norm: settings.modelNormGate + allowance,
            inclination: settings.modelInclinationGate + allowance + tilted)
    }

    /// The tilt by which the inclination is measured, and the inclination as far as it has been learned, may add one
    /// standard deviation: after sensors have failed neither is known well, and the field is not to blame.
    private func agrees(
        _ shape: Shape, withLearned learned: Shape?, tilt: Double, _ settings: EstimatorSettings.Magnetic
    ) -> Bool {
        guard let learned, let calibrator else { return true }
        let own = calibrator.inclinationDeviation
        let allowance = (tilt * tilt + own * own).squareRoot()
        return shape.lies(
            near: learned, norm: settings.trackedNormGate, inclination: settings.trackedInclinationGate + allowance)
    }
}
