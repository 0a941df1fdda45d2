import Geometry
import Measurements

/// Still poses of a whole record and the fit to them; the stillness limit with the least predicted error is selected.
///
/// Source: Tedaldi, Pretto, Menegatti, ICRA 2014, algorithm 1, which takes the multiplier with the least residual. The
/// predicted error also accounts for fewer poses fitting better and determining less.
struct PoseSearch: Sendable {
    let poses: [StillPose]
    let fit: AccelerometerFit
    /// Selected ratio of the largest still scatter to the stillest.
    let multiplier: Double

    /// Nil if no limit gives poses that can be fitted.
    init?(
        _ record: InertialRecord, settings: CalibrationSettings, multipliers: [Double] = StillnessLimits.multipliers
    ) {
        let windows = StillWindows(record)
        let quanta = (force: record.forceQuantum, rate: record.rateQuantum)
        guard let stillest = windows.stillest(forceQuantum: quanta.force, rateQuantum: quanta.rate) else { return nil }
        let gravity = record.gravity(settings)
        let isStandard = settings.unit == .standard
        var best: (poses: [StillPose], fit: AccelerometerFit, multiplier: Double, error: Double)?
        var last: [StillPose] = []
        for multiplier in multipliers {
            let still = windows.still(within: stillest.times(multiplier))
            let poses = StillPose.all(in: record, still: still, gravity: gravity)
            // Neighbouring multipliers often give the same poses.
            guard poses != last else { continue }
            last = poses
            guard let fit = AccelerometerFit(poses, isStandard: isStandard, gravity: settings.gravity) else { continue }
            let error = fit.predictedTiltError
            if best.map({ error < $0.error }) ?? error.isFinite { best = (poses, fit, multiplier, error) }
        }
        guard let best else { return nil }
        (poses, fit, multiplier) = (best.poses, best.fit, best.multiplier)
    }
}

extension InertialRecord {
    /// Still poses, whether or not they can be fitted: too few of them is another defect than movement.
    func poses(_ settings: CalibrationSettings) -> [StillPose] {
        let windows = StillWindows(self)
        guard let stillest = windows.stillest(forceQuantum: forceQuantum, rateQuantum: rateQuantum) else { return [] }
        let limit = stillest.times(StillnessLimits.liveMultiplier)
        return StillPose.all(in: self, still: windows.still(within: limit), gravity: gravity(settings))
    }

    /// Approximate gravity in measured units: for counts half the widest range of any axis.
    func gravity(_ settings: CalibrationSettings) -> Double {
        guard settings.unit == .arbitrary, let ends = forceEnds else { return settings.gravity }
        let range = ends.high - ends.low
        return max(range.x, range.y, range.z) / 2
    }
}
