import Measurements

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
            guard case .magnetic(let sample, let time) = aid else { return }
            aid = .magnetic(change.applied(to: sample), at: time)
        }
    }
}
