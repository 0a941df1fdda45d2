import Model

/// Changes of calibration. They take effect from the next sample on.
extension FilterTimeline {
    /// Changes the filter and every hypothesis to a new calibration.
    ///
    /// The history restarts, because samples that were corrected with the old calibration cannot be integrated again.
    /// Pending late measurements are applied first. Measurements with a future time stamp are kept and converted to the
    /// new correction.
    package mutating func follow(_ change: CorrectionChange, _ settings: EstimatorSettings) {
        repeatIfNeeded()
        if bank.isOpen { bank.follow(&filter) }
        filter.follow(change, settings)
        bank.follow(change, settings)
        steps.removeAll()
        snapshots.removeAll()
        readings.removeAll()
        keepSnapshot()
        while nextAid > 0 {
            aids.removeFirst()
            nextAid -= 1
        }
        guard change.changes(.magnetometer) else { return }
        for index in 0..<aids.count {
            guard case .magnetic(var sample) = aids[index].kind else { continue }
            sample.field = change.applied(to: sample.field)
            aids[index].kind = .magnetic(sample)
        }
    }
}
