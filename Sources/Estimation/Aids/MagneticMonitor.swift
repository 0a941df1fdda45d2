import Geodesy
import Geometry
import Measurements

/// Judges the local field: by the model where the place is known, else against a reference that it tracks.
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

        fileprivate mutating func move(towards other: Shape, by share: Double) {
            norm += share * (other.norm - norm)
            inclination += share * (other.inclination - inclination)
        }
    }

    package private(set) var reference: Shape?
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
    private var referenceAge = 0.0
    private var candidate: Shape?
    private var candidateMotion = 0.0
    private var passedSince: BootTime?
    private var refusedSince: BootTime?

    package init() {}

    /// Variance of one component of a disturbance, by what is seen of it along the field and across it in the vertical
    /// plane: where it points is not known, so it is thought as strong in the third direction, which turns the yaw.
    ///
    /// Unit: squared parts of the field.
    var disturbanceVariance: Double {
        (normDiscrepancy * normDiscrepancy + inclinationDiscrepancy * inclinationDiscrepancy) / 2
    }

    /// Unit: that of the magnetometer.
    func fieldStrength(_ settings: EstimatorSettings) -> Double {
        reference?.norm ?? settings.initial.fieldForHardIron
    }

    /// Whether the samples are in microtesla as far as the model can tell: some sources have a unit of their own.
    func isInMicrotesla(_ field: GeomagneticField) -> Bool {
        guard let reference else { return true }
        let ratio = reference.norm / (field.totalIntensity / 1000)
        return ratio > 0.6 && ratio < 1.6
    }

    /// Judges a sample, hard iron removed.
    ///
    /// - Parameter allowance: what uncertain hard iron may add to the relative norm and, in radians, to the inclination.
    mutating func assess(
        _ shape: Shape, model: GeomagneticField?, allowance: Double, isMoving: Bool, isUnaided: Bool,
        at time: BootTime, settings: EstimatorSettings.Magnetic
    ) -> Verdict {
        let interval = min(1, max(0, lastSample.map { time.seconds(since: $0) } ?? 0))
        lastSample = time
        let model = model.flatMap { isInMicrotesla($0) ? Shape($0) : nil }
        if let expected = model ?? reference { compare(shape, with: expected, interval, settings) }
        let passes = judge(shape, model, allowance, settings)
        track(shape, passes: passes, interval: interval, isMoving: isMoving, settings: settings)
        if passes {
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

    private mutating func compare(
        _ shape: Shape, with expected: Shape, _ interval: Double, _ settings: EstimatorSettings.Magnetic
    ) {
        let share = min(1, interval / settings.discrepancyMeanSeconds)
        normDiscrepancy += share * (shape.norm / expected.norm - 1 - normDiscrepancy)
        inclinationDiscrepancy += share * (shape.inclination - expected.inclination - inclinationDiscrepancy)
    }

    private func judge(
        _ shape: Shape, _ model: Shape?, _ allowance: Double, _ settings: EstimatorSettings.Magnetic
    ) -> Bool {
        if let model {
            return shape.lies(
                near: model, norm: settings.modelNormGate + allowance,
                inclination: settings.modelInclinationGate + allowance)
        }
        guard let reference else { return true }
        return shape.lies(near: reference, norm: settings.trackedNormGate, inclination: settings.trackedInclinationGate)
    }

    private mutating func track(
        _ shape: Shape, passes: Bool, interval: Double, isMoving: Bool, settings: EstimatorSettings.Magnetic
    ) {
        guard var current = reference else {
            reference = shape
            return
        }
        if passes {
            // A plain mean at first, then an exponential one.
            referenceAge += interval
            current.move(towards: shape, by: interval / min(settings.referenceSeconds, referenceAge + 0.1))
            reference = current
            candidate = nil
        } else {
            consider(shape, interval: interval, isMoving: isMoving, settings: settings)
        }
    }

    /// Another field that stays the same while the body moves is the field of this place.
    private mutating func consider(
        _ shape: Shape, interval: Double, isMoving: Bool, settings: EstimatorSettings.Magnetic
    ) {
        guard var found = candidate,
            shape.lies(near: found, norm: settings.trackedNormGate, inclination: settings.trackedInclinationGate)
        else {
            candidate = shape
            candidateMotion = 0
            return
        }
        found.move(towards: shape, by: interval / settings.referenceSeconds)
        candidate = found
        if isMoving { candidateMotion += interval }
        guard candidateMotion >= settings.newReferenceSeconds else { return }
        reference = found
        referenceAge = 0
        candidate = nil
    }
}
