import Geometry
import Model

/// Updates the filter with the distance to a known point.
extension ErrorStateKalmanFilter {
    /// Corrects the state with a range. A range is too long if its signal took a detour. Sets the position instead if
    /// it is too uncertain for a linear update and the ranges together determine it.
    mutating func apply(range offer: LocalOffer) -> UpdateOutcome? {
        guard gnss.hasPosition else { return nil }
        assumeHeight(of: offer)
        guard let model = rangeModel(offer) else { return nil }
        let assessed = assess(offer)
        ranges.note(offer, standardDeviation: assessed.standardDeviation)
        enterRanging(at: offer.time)
        if model.isFarOff, place(byRangesAt: offer) { return .applied }
        let outcome = correct(rangeUpdate(assessed, model, mask: rangeMask), of: offer)
        heading.note(range: outcome)
        ranging.note(outcome.isAccepted)
        if ranging.isContradicted {
            ranging = RangeAgreement()
            if place(byRangesAt: offer) { return .applied }
            widen(ErrorState.position, count: 2, by: Self.contradictedVariance)
        }
        return UpdateOutcome(outcome)
    }

    /// Applies a range to a yaw hypothesis.
    mutating func weigh(range assessed: AssessedOffer) {
        assumeHeight(of: assessed.offer)
        guard let model = rangeModel(assessed.offer) else { return }
        ranges.note(assessed.offer, standardDeviation: assessed.standardDeviation)
        enterRanging(at: assessed.offer.time)
        heading.note(range: apply(rangeUpdate(assessed, model, mask: rules.fixMask)))
    }

    /// Adopts the height of a point if the height of the board is unknown or impossible. This is reasonable because
    /// points within range are at about the same height as the board.
    private mutating func assumeHeight(of offer: LocalOffer) {
        let z = ErrorState.position + 2
        let isOutOfReach = (offer.point.z - state.position.z).magnitude > offer.range + 3 * offer.standardDeviation
        guard isOutOfReach || covariance.rows[z][z] > Self.assumedHeightVariance else { return }
        resetCovariance(z, count: 1, variance: Self.assumedHeightVariance)
        influence.add(shift: Vector3(0, 0, offer.point.z - state.position.z), yaw: 0)
        state.position.z = offer.point.z
        forgetPressureOffset()
    }

    /// Variance of an assumed height: the square of 3 m. Unit: m².
    private static let assumedHeightVariance = 9.0

    /// Enters the regime of a stream of fixes if ranges determine the position. They then measure the motion as fixes
    /// do.
    private mutating func enterRanging(at time: BootTime) {
        guard ranges.measureMotion(at: time, from: Vector2(state.position)) else { return }
        gnss.lastAiding = time
        guard !rules.measuresMotion else { return }
        enterSatellites()
    }

    /// Sets the position to the one that the ranges alone determine, if they determine one.
    private mutating func place(byRangesAt offer: LocalOffer) -> Bool {
        let p = ErrorState.position
        let variance = worseHorizontalVariance(p)
        guard let found = ranges.position(at: offer.time, prior: state.position, variance: variance) else {
            return false
        }
        let minimum = Self.solutionDeviation
        resetCovariance(p, count: 2, variance: found.variance + minimum * minimum)
        let shift = Vector3(found.position.x - state.position.x, found.position.y - state.position.y, 0)
        state.position += shift
        influence.add(shift: shift, yaw: 0)
        offers.notePlaced(by: offer)
        return true
    }

    /// States that a range may correct. They exclude an unconfirmed compass heading, so that this heading can be
    /// compared with the hypotheses.
    private var rangeMask: GainMask {
        heading.isCompassAlone ? rules.fixMask.subtracting([.yaw, .magneticOffset, .gyroBias]) : rules.fixMask
    }

    private func rangeUpdate(_ assessed: AssessedOffer, _ model: RangeModel, mask: GainMask) -> Update<1> {
        let deviation = assessed.standardDeviation
        let variance = deviation * deviation + 2 * model.curvature * model.curvature
        return Self.scalarUpdate(
            model.innovation, model.jacobian, variance: variance, mask: mask,
            // A detour only lengthens a range. If a range is too short, the estimate is wrong.
            gate: InnovationGate(rule: model.innovation > 0 ? .reject : .soften), cause: .aid)
    }

    package struct RangeModel {
        /// Measured minus predicted range. Unit: metres.
        package let innovation: Double
        package let jacobian: Jacobian<1>
        /// Mean increase of the distance, due to position errors perpendicular to the line to the point. The standard
        /// deviation of the increase is √2 times as large. Unit: metres.
        package let curvature: Double
        /// Whether the horizontal part of the curvature is too large for a linear update. If so, the position must be
        /// computed from several ranges instead.
        package let isFarOff: Bool
    }

    /// Measurement model `z = |p − b| + c`, where b is the position of the beacon and c the curvature; nil at the
    /// beacon.
    ///
    /// Source: the second-order filter of Athans, Wishner, Bertolini, "Suboptimal state estimation for continuous-time
    /// nonlinear systems from discrete noisy measurements", IEEE Trans. Automatic Control 13(5), 1968.
    ///
    /// Equation: docs/filter.md (107), (108).
    package func rangeModel(_ offer: LocalOffer) -> RangeModel? {
        let line = state.position - offer.point
        let distance = line.norm
        guard distance > Self.nearest else { return nil }
        let direction = line / distance
        let p = ErrorState.position
        var h = Jacobian<1>()
        h[0, p] = direction.x
        h[0, p + 1] = direction.y
        h[0, p + 2] = direction.z
        let (x, y, z) = (direction.x, direction.y, direction.z)
        let (xx, yy) = (covariance.rows[p][p], covariance.rows[p + 1][p + 1])
        let along = x * x * xx + 2 * x * y * covariance.rows[p][p + 1] + y * y * yy
        let ground = max(0, xx + yy - along) / (2 * distance)
        let upright = covariance.rows[p + 2][p + 2] * (1 - z * z) / (2 * distance)
        return RangeModel(
            innovation: offer.range - distance - ground - upright, jacobian: h, curvature: ground + upright,
            isFarOff: ground > Self.maximumCurvature)
    }

    /// Distance below which the direction to a point is not defined. Unit: metres.
    private static let nearest = 0.1
    /// Curvature beyond which a linear update is too inaccurate and the position is computed from several ranges
    /// instead. Unit: metres.
    private static let maximumCurvature = 0.5
    /// Standard deviation that is added to a position computed from ranges, because one of the ranges may be too long.
    /// Unit: metres.
    private static let solutionDeviation = 1.5
    /// Variance added to the position once most ranges contradict it. Unit: m².
    private static let contradictedVariance = 9.0
}

/// Monitors whether ranges agree with the position. If most do not agree, the position is wrong.
package struct RangeAgreement: Sendable, Codable {
    private var share = 1.0
    /// Number of ranges over which the share is averaged.
    private static let memory = 20.0
    /// Share of agreeing ranges below which the position is wrong.
    private static let minimumShare = 0.4

    mutating func note(_ agrees: Bool) { share += ((agrees ? 1 : 0) - share) / Self.memory }

    var isContradicted: Bool { share < Self.minimumShare }
}
