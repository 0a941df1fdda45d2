import Model

/// Changes of calibration, which take effect from the next sample on.
extension FilterTimeline {
    /// Applies another calibration to the filter and every hypothesis.
    ///
    /// The history restarts, because samples under another correction cannot be integrated again. Pending late
    /// measurements are applied first. Measurements with a future time stamp wait, and are converted to the new
    /// correction.
    package mutating func follow(_ change: CorrectionChange, _ settings: EstimatorSettings) {
        beginHistory { $0.follow(change, settings) }
        guard change.changes(.magnetometer) else { return }
        changeWaiting { aid in
            guard case .magnetic(let sample) = aid.kind else { return }
            aid.kind = .magnetic(change.applied(to: sample))
        }
    }
}
