import Geometry
import Model

/// Calibrations: in force from the next sample on, without a jump of what is published.
extension Odometry {
    /// One for each sensor that has one in force, in the order of `SensorCalibration.Sensor`.
    public var calibrations: [SensorCalibration] { corrections.inForce }

    mutating func take(_ calibration: SensorCalibration) {
        guard let usable = input.admit(calibration, &counters), let change = corrections.put(usable) else { return }
        filterSettings = corrections.filterSettings
        // What waits to be paired comes after the calibration, whenever it was measured.
        input.follow(change)
        plausibility.follow(change)
        // What was learned belongs to the calibration with which it was learned.
        let parts = WarmStart.Parts(learnedWith: change)
        prepared?.remove(parts)
        guard running != nil else { return }
        running?.trial?.taken.remove(parts)
        running?.follow(change, filterSettings)
        announcer.note(.calibration)
    }
}

extension WarmStart.Parts {
    /// Those that mean nothing once a sensor is corrected in another way.
    fileprivate init(learnedWith change: CorrectionChange) {
        self = []
        if change.keepsValues { return }
        if change.changes(.gyroscope) { insert(.gyroBias) }
        if change.changes(.accelerometer) { insert(.accelerometerBias) }
        if change.changes(.magnetometer) { insert(.hardIron) }
    }
}

extension FilterTimeline {
    /// Lets the filter and every hypothesis follow another calibration.
    ///
    /// History begins here: what was corrected in another way cannot be integrated again. What had come late is brought in
    /// before, what lies ahead is corrected anew.
    mutating func follow(_ change: CorrectionChange, _ settings: EstimatorSettings) {
        beginHistory { $0.follow(change, settings) }
        guard change.changes(.magnetometer) else { return }
        restartHardIron(at: filter.state.time)
        changeWaiting { aid in
            guard case .magnetic(let sample) = aid.kind else { return }
            aid.kind = .magnetic(change.applied(to: sample))
        }
    }
}
