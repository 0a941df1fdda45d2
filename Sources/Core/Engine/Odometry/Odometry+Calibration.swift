import Estimation
import Geometry
import Model

/// Changes the calibration. A change takes effect with the next sample, without a jump of the published poses.
extension Odometry {
    /// Active calibrations, at most one for each sensor, in the order of `SensorCalibration.Sensor`.
    public var calibrations: [SensorCalibration] { corrections.inForce }

    mutating func take(_ calibration: SensorCalibration) {
        guard let usable = input.admit(calibration, &counters), let change = corrections.put(usable) else { return }
        filterSettings = corrections.filterSettings
        // Samples that wait to be paired get the new correction, no matter when they were measured.
        input.assembler.follow(change)
        plausibility.follow(change)
        // Learned states are valid only for the calibration with which they were learned.
        let parts = WarmStart.Parts(learnedWith: change)
        prepared?.remove(parts)
        guard running != nil else { return }
        running?.trial?.taken.remove(parts)
        running?.follow(change, filterSettings)
        announcer.note(.calibration)
    }
}

extension WarmStart.Parts {
    /// Parts that become invalid when the correction of a sensor changes.
    fileprivate init(learnedWith change: CorrectionChange) {
        self = []
        if change.keepsValues { return }
        if change.changes(.gyroscope) { insert(.gyroBias) }
        if change.changes(.accelerometer) { insert(.accelerometerBias) }
        if change.changes(.magnetometer) { insert([.hardIron, .compass]) }
    }
}
