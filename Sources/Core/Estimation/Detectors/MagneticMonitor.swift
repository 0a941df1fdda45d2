import Geometry
import Model

/// Monitors the local magnetic field. Samples are compared with the model field where the model is expected to hold,
/// and with the learned field elsewhere.
package struct MagneticMonitor: Sendable, Codable {
    package enum Verdict: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// The sample is used in full.
        case good
        /// The sample is used with a larger noise.
        case weak
        /// The sample is rejected: the state is unchanged.
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

        /// Creates the shape of a model field, with the norm in microtesla.
        init(_ field: GeomagneticField) {
            self.init(norm: field.totalIntensity / 1000, inclination: field.inclination)
        }

        func lies(near other: Shape, norm gate: Double, inclination angle: Double) -> Bool {
            (norm / other.norm - 1).magnitude < gate && (inclination - other.inclination).magnitude < angle
        }
    }

    /// Standard deviation of the tilt beyond which the tilt, not the field, is assumed to cause a difference of the
    /// inclination from the model. Levelling with one sample at rest leaves a smaller standard deviation; a gap of 0.1
    /// s leaves a larger one. Unit: radians.
    private static let lostTilt = 0.1
    /// Standard deviation of the tilt below which the field is again assumed to cause a difference of the inclination:
    /// 2°, less than the gate. Unit: radians.
    private static let knownTilt = 0.035

    /// Mean of the samples since the last correction.
    package var mean = MagneticMean()
    /// Estimator of hard iron and local field; nil before the first sample.
    package var calibrator: MagneticCalibrator?
    /// Variance that the process noise has added to the hard iron since it was last handed over to the filter.
    var changeVariance = 0.0
    /// Distance by which a hand has moved the board since the last likeness update. Unit: metres.
    private var handWay = 0.0
    /// Slow mean of the norm of accepted fields after the hard iron is removed; nil before the first accepted field.
    package private(set) var norm: Double?
    package private(set) var verdict = Verdict.refused
    /// Whether the tilt was lost, as in a gap of the inertial samples, and is still unknown.
    private var isTiltLost = false
    package private(set) var lastSample: BootTime?
    /// Time of the last mean that was used.
    package var lastUse: BootTime?
    /// Time of the last sample that corrected the yaw.
    package var lastCorrection: BootTime?
    /// Time since which every yaw innovation has been beyond its gate.
    package var contradictedSince: BootTime?
    /// Normalised innovation squared (NIS) of the last yaw.
    package var yawSquare = 0.0

    /// Slow mean of the norm minus the expected norm, as a fraction of the expected norm.
    private var normDiscrepancy = 0.0
    /// Slow mean of the inclination minus the expected inclination. Unit: radians.
    private var inclinationDiscrepancy = 0.0
    /// Recent peak of `disturbanceVariance`, which decays slowly. It determines the yaw error that remains after a
    /// disturbance. Unit: squared fractions of the field strength.
    package private(set) var lastingVariance = 0.0
    private var passedSince: BootTime?
    private var refusedSince: BootTime?

    package init() {}

    /// Variance of one component of a disturbance, estimated from two components: the one along the field and the one
    /// across it in the vertical plane. The third component deflects the yaw. It is assumed to be as large, because the
    /// direction of the disturbance is unknown.
    ///
    /// Unit: squared fractions of the field strength.
    ///
    /// Equation: docs/filter.md (33).
    package var disturbanceVariance: Double {
        (normDiscrepancy * normDiscrepancy + inclinationDiscrepancy * inclinationDiscrepancy) / 2
    }

    /// Adds the distance by which a hand has moved the board. Unit: metres.
    mutating func add(handDistance distance: Double) { handWay += distance }

    /// Returns the distance added since the last call, and clears it. Unit: metres.
    mutating func takeHandDistance() -> Double {
        defer { handWay = 0 }
        return handWay
    }

    /// Discards what was learned about the field, because the sensor's correction has changed.
    mutating func restart() {
        let before = self
        self = MagneticMonitor()
        (lastSample, lastUse, lastCorrection) = (before.lastSample, before.lastUse, before.lastCorrection)
    }

    /// Strength of the local field, learned or assumed. Unit: that of the magnetometer.
    func fieldStrength(_ settings: EstimatorSettings) -> Double {
        calibrator?.strength ?? settings.initial.fieldForHardIron
    }

    /// Whether the samples are in microtesla, according to a comparison with the model. Some sources use other units.
    func isInMicrotesla(_ field: GeomagneticField) -> Bool {
        guard let calibrator else { return true }
        let ratio = calibrator.strength / (field.totalIntensity / 1000)
        return ratio > 0.6 && ratio < 1.6
    }

    /// Checks a sample after its hard iron is removed.
    ///
    /// - Parameters:
    ///   - iron: standard deviation of the hard iron, as a fraction of the field strength.
    ///   - tilt: standard deviation of the tilt, which causes an error of the inclination. Unit: radians.
    ///   - rules: expected field, and whether a disturbed field is used immediately, with less weight.
    package mutating func assess(
        _ shape: Shape, model: GeomagneticField?, iron: Double, tilt: Double, rules: FieldRules, at time: BootTime,
        settings: EstimatorSettings.Magnetic
    ) -> Verdict {
        let interval = min(1, max(0, lastSample.map { time.seconds(since: $0) } ?? 0))
        lastSample = time
        isTiltLost = tilt > (isTiltLost ? Self.knownTilt : Self.lostTilt)
        let model = model.flatMap { isInMicrotesla($0) ? Shape($0) : nil }
        let learned = calibrator.map { Shape(norm: $0.strength, inclination: $0.inclination) }
        if let reference = model ?? learned { compare(shape, with: reference, interval, settings) }
        let expected = rules.expectsModel ? model : nil
        let passes =
            if let expected { agrees(shape, withModel: expected, iron: iron, tilt: tilt, settings) } else {
                agrees(shape, withLearned: learned, tilt: tilt, settings)
            }
        if passes {
            norm = (norm ?? shape.norm) + interval / Self.normSeconds * (shape.norm - (norm ?? shape.norm))
            refusedSince = nil
            let isSettled = passedSince.lasting(at: time) >= settings.settleSeconds
            verdict = isSettled ? .good : rules.usesDisturbed ? .weak : .refused
        } else {
            passedSince = nil
            let isOld = refusedSince.lasting(at: time) >= settings.weakAfterSeconds
            verdict = rules.usesDisturbed || isOld ? .weak : .refused
        }
        return verdict
    }

    /// Time constant with which a yaw recovers from a disturbance. Unit: seconds.
    private static let lastingSeconds = 40.0
    /// Time constant of the mean norm. Unit: seconds.
    private static let normSeconds = 20.0

    /// Compares a sample with the expected field. While the tilt is lost, a difference of the inclination is attributed
    /// to the tilt and not to the field.
    private mutating func compare(
        _ shape: Shape, with expected: Shape, _ interval: Double, _ settings: EstimatorSettings.Magnetic
    ) {
        let share = min(1, interval / settings.discrepancyMeanSeconds)
        normDiscrepancy += share * (shape.norm / expected.norm - 1 - normDiscrepancy)
        let inclination = isTiltLost ? expected.inclination : shape.inclination
        inclinationDiscrepancy += share * (inclination - expected.inclination - inclinationDiscrepancy)
        lastingVariance = max(disturbanceVariance, lastingVariance * (1 - interval / Self.lastingSeconds))
    }

    /// Whether a sample agrees with the model. The tolerance of norm and inclination includes two standard deviations
    /// of the hard iron; the tolerance of the inclination also includes two standard deviations of a lost tilt.
    private func agrees(
        _ shape: Shape, withModel model: Shape, iron: Double, tilt: Double, _ settings: EstimatorSettings.Magnetic
    ) -> Bool {
        let allowance = 2 * iron
        let tilted = isTiltLost ? 2 * tilt : 0
        return shape.lies(
            near: model, norm: settings.modelNormGate + allowance,
            inclination: settings.modelInclinationGate + allowance + tilted)
    }

    /// Whether a sample agrees with the learned field. The tolerance includes one standard deviation of tilt and
    /// learned inclination: after a sensor failure both are uncertain, even in an undisturbed field.
    private func agrees(
        _ shape: Shape, withLearned learned: Shape?, tilt: Double, _ settings: EstimatorSettings.Magnetic
    ) -> Bool {
        guard let learned, let calibrator else { return true }
        let own = calibrator.inclinationStandardDeviation
        let allowance = (tilt * tilt + own * own).squareRoot()
        return shape.lies(
            near: learned, norm: settings.trackedNormGate, inclination: settings.trackedInclinationGate + allowance)
    }
}
