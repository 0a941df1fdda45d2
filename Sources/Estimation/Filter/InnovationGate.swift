import Geometry

/// Gate of an update: what to do with a measurement far from its prediction.
package struct InnovationGate: Hashable, Sendable {
    /// Number of standard deviations of the innovation, per component, beyond which the rule applies.
    package var limit: Double
    package var rule: Rule

    package init(limit: Double, rule: Rule) {
        self.limit = limit
        self.rule = rule
    }

    /// What to do beyond the limit.
    package enum Rule: UInt8, Hashable, Sendable {
        /// Rejects the measurement.
        case reject
        /// Huber weighting: the influence is bounded, so outliers barely move the state, but a wrong state still
        /// converges.
        case soften
    }

    /// Factor by which to enlarge the innovation covariance, at least 1; nil to reject the measurement.
    ///
    /// `soften` is the Huber weight: beyond the limit the influence of an innovation of `d` standard deviations is that
    /// of `limit`.
    ///
    /// Equations: docs/filter.md (23), (24).
    ///
    /// - Parameter normalizedInnovationSquared: the squared Mahalanobis distance of the innovation.
    package func enlargement(normalizedInnovationSquared: Double, dimensions: Int) -> Double? {
        // A vector's length grows with its dimensions: the limit counts deviations of one of them.
        let distance = (normalizedInnovationSquared / Double(dimensions)).squareRoot()
        guard distance > limit else { return 1 }
        switch rule {
        case .reject: return nil
        case .soften: return distance / limit
        }
    }
}
