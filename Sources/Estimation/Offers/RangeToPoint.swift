import Geometry
import Model

/// Update by the distance to a known point.
extension ErrorStateKalmanFilter {
    /// Corrects by a range, which is too long where its signal went around something.
    mutating func apply(range offer: LocalOffer) -> UpdateOutcome? {
        guard gnss.hasPosition, let model = rangeModel(offer) else { return nil }
        enterRanging(at: offer.time)
        let outcome = correct(rangeUpdate(offer, model), of: offer)
        ranging.note(outcome.isAccepted)
        if ranging.isContradicted {
            ranging = RangeAgreement()
            widen(ErrorState.position, count: 2, by: Self.contradictedVariance)
        }
        return UpdateOutcome(outcome)
    }

    /// A stream of ranges measures the motion as one of fixes does.
    private mutating func enterRanging(at time: BootTime) {
        gnss.lastAiding = time
        guard !rules.measuresMotion else { return }
        enterSatellites()
    }

    private func rangeUpdate(_ offer: LocalOffer, _ model: (innovation: Double, jacobian: Jacobian<1>)) -> Update<1> {
        let deviation = offer.standardDeviation * offers.scale(of: offer)
        return Self.scalarUpdate(
            model.innovation, model.jacobian, variance: deviation * deviation, mask: rules.fixMask,
            // Detours only lengthen: a range that is too short is an error of the estimate.
            gate: InnovationGate(rule: model.innovation > 0 ? .reject : .soften), cause: .aid)
    }

    /// Measurement model `z = |p − b|`, with the position b of the beacon; nil where the position is not known well
    /// enough for its derivative.
    ///
    /// Equation: docs/filter.md (107).
    package func rangeModel(_ offer: LocalOffer) -> (innovation: Double, jacobian: Jacobian<1>)? {
        let line = state.position - offer.point
        let distance = line.norm
        let p = ErrorState.position
        let variance = max(covariance.rows[p][p], covariance.rows[p + 1][p + 1])
        guard distance * distance > 4 * variance, distance > 0.1 else { return nil }
        var h = Jacobian<1>()
        h[0, p] = line.x / distance
        h[0, p + 1] = line.y / distance
        h[0, p + 2] = line.z / distance
        return (offer.range - distance, h)
    }

    /// Variance that is added to the position once most ranges contradict it. Unit: m².
    private static let contradictedVariance = 9.0
}

/// Whether ranges agree with the position: where most do not, it is the position that is wrong.
package struct RangeAgreement: Sendable, Codable {
    private var share = 1.0
    /// Number of ranges over which the share is taken.
    private static let memory = 20.0
    /// Share of ranges that agree below which the position is wrong.
    private static let least = 0.4

    package init() {}

    mutating func note(_ agrees: Bool) { share += ((agrees ? 1 : 0) - share) / Self.memory }

    var isContradicted: Bool { share < Self.least }
}
