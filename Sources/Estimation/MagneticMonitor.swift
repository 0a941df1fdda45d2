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

    private var referenceAge = 0.0
    private var candidate: Shape?
    private var candidateMotion = 0.0
    private var passedSince: BootTime?
    private var refusedSince: BootTime?

    package init() {}

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

    private func judge(
        _ shape: Shape, _ model: GeomagneticField?, _ allowance: Double, _ settings: EstimatorSettings.Magnetic
    ) -> Bool {
        if let model, isInMicrotesla(model) {
            let expected = Shape(norm: model.totalIntensity / 1000, inclination: model.inclination)
            return shape.lies(
                near: expected, norm: settings.modelNormGate + allowance,
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
