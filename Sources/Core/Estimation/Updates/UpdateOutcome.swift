import Geometry

/// Result of a measurement that reached the filter, for `UpdateStatistics`.
package struct UpdateOutcome: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        /// The measurement corrected the state with its full weight, or set the state.
        case applied
        /// The measurement corrected the state with less weight, because its innovation was beyond the gate, or because
        /// a jump of the receiver was subtracted from it.
        case downWeighted
        /// The measurement did not correct the state, because its innovation was beyond the gate or a detector
        /// contradicted it.
        case refused
    }

    package let verdict: Verdict
    /// Normalised innovation squared per degree of freedom, before any down-weighting; nil for a measurement without a
    /// predicted value.
    package let innovationRatio: Double?

    private init(_ verdict: Verdict, innovationRatio: Double? = nil) {
        self.verdict = verdict
        self.innovationRatio = innovationRatio
    }

    /// Result of an update.
    ///
    /// - Parameter degreesOfFreedom: number of measured components; nil if all are measured.
    package init(_ outcome: CorrectionOutcome, degreesOfFreedom: Int? = nil) {
        verdict = outcome.isAccepted ? (outcome.isOutlier ? .downWeighted : .applied) : .refused
        let ratio = outcome.normalizedInnovationSquared / Double(degreesOfFreedom ?? outcome.dimensions)
        // If the innovation covariance is not valid, there is no ratio.
        innovationRatio = outcome == .failed ? nil : ratio
    }

    /// Result of a position from which a jump was subtracted.
    ///
    /// - Parameters:
    ///   - jump: subtracted jump. Unit: metres.
    ///   - standardDeviation: standard deviation of the position, per axis. Unit: metres.
    init(jump: Vector3, standardDeviation: Double) {
        let variance = standardDeviation * standardDeviation
        self.init(.downWeighted, innovationRatio: jump.squaredNorm / (2 * variance))
    }

    /// Result of a measurement that set or moved a state without an innovation.
    package static let applied = UpdateOutcome(.applied)
    /// Result of a measurement that a detector contradicted.
    package static let refused = UpdateOutcome(.refused)
}

package struct FixOutcome: Hashable, Sendable {
    package let position: UpdateOutcome
    /// Result of the velocity; nil for a fix without a velocity.
    package let velocity: UpdateOutcome?
}
