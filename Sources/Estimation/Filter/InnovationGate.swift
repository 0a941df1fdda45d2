import Geometry

/// What to do with a measurement that lies far from its prediction.
package struct InnovationGate: Hashable, Sendable {
    /// Beyond so many standard deviations of the innovation the rule holds.
    package var limit: Double
    package var rule: Rule

    package init(limit: Double, rule: Rule) {
        self.limit = limit
        self.rule = rule
    }

    package enum Rule: UInt8, Hashable, Sendable {
        /// The measurement is left out.
        case reject
        /// It counts with an influence that stays bounded: a wrong state still settles, a wrong measurement hardly moves it.
        case soften
    }

    /// By how much the innovation's covariance is to be enlarged, at least 1; nil to leave the measurement out.
    ///
    /// `soften` is Huber's weight: beyond the limit the influence of an innovation of `d` deviations is that of `limit`.
    ///
    /// Equations: docs/filter.md (23), (24).
    ///
    /// - Parameter normalizedSquare: the innovation's squared Mahalanobis length.
    package func enlargement(normalizedSquare: Double, dimensions: Int) -> Double? {
        // A vector's length grows with its dimensions: the limit counts deviations of one of them.
        let distance = (normalizedSquare / Double(dimensions)).squareRoot()
        guard distance > limit else { return 1 }
        switch rule {
        case .reject: return nil
        case .soften: return distance / limit
        }
    }
}
