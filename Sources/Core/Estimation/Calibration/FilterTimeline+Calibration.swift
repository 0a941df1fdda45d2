import Model

/// Calibrations, which are active from the next sample on.
extension FilterTimeline {
    /// Applies another calibration to the filter and every hypothesis.
    ///
    /// The history begins again, because samples under another correction cannot be integrated again. Late measurements
    /// are applied before; those that lie ahead are corrected again.
    package mutating func follow(_ change: CorrectionChange, _ settings: EstimatorSettings) {
        beginHistory { $0.follow(change, settings) }
        guard change.changes(.magnetometer) else { return }
        changeWaiting { aid in
            guard case .magnetic(let sample) = aid.kind else { return }
            aid.kind = .magnetic(change.applied(to: sample))
        }
    }
}
