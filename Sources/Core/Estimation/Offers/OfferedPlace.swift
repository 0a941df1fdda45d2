import Geometry
import Model

/// Updates the filter with a position from a system other than satellites.
extension ErrorStateKalmanFilter {
    /// Corrects the position with an offered place, or sets the position if it is unknown. The offer contains no
    /// heading.
    mutating func apply(place offer: LocalOffer) -> UpdateOutcome? {
        guard gnss.hasPosition else {
            begin(at: offer)
            return .applied
        }
        let assessed = assess(offer)
        if !assessed.isTrusted {
            if contradicts(offer) {
                offers.refuse(offer)
                return finish(.refused, offer)
            }
            guard !isTooVague(toProve: offer) else { return nil }
        }
        restoreUnnoticed()
        let outcome = correct(placeUpdate(assessed), of: offer)
        heading.note(outcome)
        guard outcome.isAccepted else { return finish(UpdateOutcome(outcome), offer) }
        if let site = offer.site { settle(at: site) }
        if offer.hasHeight { apply(heightUpdate(offer, offer.heightStandardDeviation * repetition(of: offer))) }
        holdPlace()
        return UpdateOutcome(outcome)
    }

    /// Applies a place to a yaw hypothesis.
    mutating func weigh(place assessed: AssessedOffer) {
        restoreUnnoticed()
        let outcome = apply(placeUpdate(assessed))
        heading.note(outcome)
        if outcome.isAccepted { holdPlace() }
    }

    /// Sets the position to an offered position.
    private mutating func begin(at offer: LocalOffer) {
        if let site = offer.site { settle(at: site) }
        influence.cause = .aid
        let deviation = offer.standardDeviation * offers.scale(of: offer)
        var point = offer.point
        if !offer.hasHeight { point.z = state.position.z }
        let before = state.position
        resetCovariance(ErrorState.position, count: 2, standardDeviation: deviation)
        let vertical = offer.hasHeight ? offer.heightStandardDeviation : EstimatorSettings.Offers.unknownHeight
        resetCovariance(ErrorState.position + 2, standardDeviation: vertical)
        state.position = point
        influence.add(shift: point - before, yaw: 0)
        gnss.hasPosition = true
        offers.notePlaced(by: offer)
        forgetPressureOffset()
        holdPlace()
    }

    /// Sets the position to a refused place if the estimate must be wrong. Otherwise keeps the estimate.
    private mutating func finish(_ refused: UpdateOutcome, _ offer: LocalOffer) -> UpdateOutcome {
        guard isPlaceLost(by: offer) else { return refused }
        begin(at: offer)
        return .applied
    }

    /// Whether the place of an untrusted source contradicts the estimate, given the accuracy that the source claims.
    /// The learned accuracy would not reveal this, because the more a source is wrong, the larger its learned error is.
    private mutating func contradicts(_ offer: LocalOffer) -> Bool {
        let variance = offer.standardDeviation * offer.standardDeviation + unnoticedVariance
        let claimed = AssessedOffer(offer: offer, standardDeviation: variance.squareRoot(), isTrusted: false)
        let distance = normalizedInnovationSquared(placeUpdate(claimed), camera: nil)
        return distance.map { $0 > Self.unknownGate * Self.unknownGate } ?? true
    }

    /// Whether the estimate is too uncertain for agreement with an untrusted source to be evidence, while another
    /// source is trusted. The next offer of the trusted source will then show whether the untrusted source is right.
    /// Just after an offer of the trusted source, agreement is always evidence, because the estimate is as accurate as
    /// it will be.
    private func isTooVague(toProve offer: LocalOffer) -> Bool {
        guard let last = offers.lastTrustedPlace(beside: offer) else { return false }
        let age = offer.time.seconds(since: last)
        guard age > Self.provingSeconds, age < EstimatorSettings.Offers.supportSeconds else { return false }
        let variance = worseHorizontalVariance(ErrorState.position) + unnoticedVariance
        let limit = max(Self.provingRatio * offer.standardDeviation, Self.provingDeviation)
        return variance > limit * limit
    }

    /// Reverts the assumption that the wearer stayed in place, and adds the variance of unnoticed motion. For a walker
    /// this variance is not added, because motion would have caused steps.
    private mutating func restoreUnnoticed() {
        guard !rules.measuresMotion else { return }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: place.since)
        restorePlaceVariance()
        if rules.isVehicle || steppedAt == nil { widen(ErrorState.position, count: 2, by: away * away) }
        place.move(to: state.position, at: state.time)
    }

    private mutating func holdPlace() {
        if !rules.measuresMotion { place.move(to: state.position, at: state.time) }
    }

    /// Whether the estimate, and not the source that contradicts it, is assumed to be wrong. This requires that the
    /// source has contradicted the estimate for long enough, while neither a fix nor another source supported it.
    private func isPlaceLost(by offer: LocalOffer) -> Bool {
        guard let record = offers[offer], record.isRefused, let since = record.contradictsSince else {
            return false
        }
        guard offer.time.seconds(since: since) > EstimatorSettings.Offers.refusedSeconds else { return false }
        return ![gnss.lastPosition, offers.lastPlaced].contains { last in
            last.map { offer.time.seconds(since: $0) < EstimatorSettings.Offers.supportSeconds } ?? false
        }
    }

    /// Measurement model `z = p` in the horizontal plane. An offer of a trusted source is used even beyond the gate,
    /// with less weight, because it may show that dead reckoning was wrong.
    private func placeUpdate(_ assessed: AssessedOffer) -> Update<2> {
        let variance = assessed.standardDeviation * assessed.standardDeviation
        var h = Jacobian<2>()
        var r = Matrix<2, 1>()
        let distance = (assessed.offer.point - state.position).column
        for i in 0..<2 {
            h[i, ErrorState.position + i] = 1
            r[i, 0] = distance[i, 0]
        }
        return Update(
            innovation: r, jacobian: h, noise: variance * .diagonalOnes, mask: placeMask,
            gate: assessed.isTrusted
                ? InnovationGate(rule: .soften) : InnovationGate(limit: Self.unknownGate, rule: .reject),
            cause: .aid)
    }

    /// Factor by which the standard deviation of an offer is enlarged because the error of its source lasts. Thus
    /// offers in quick succession count as one offer.
    func repetition(of offer: LocalOffer) -> Double {
        guard let interval = offers.interval(before: offer) else { return 1 }
        return max(1, settings.offers.placeSeconds / max(0.01, interval)).squareRoot()
    }

    /// States that a place may correct. With a heading, these are all states on which dead reckoning depends.
    private var placeMask: GainMask {
        let mask = rules.fixMask.subtracting([.yaw, .magneticOffset])
        guard rules.hasYaw, !rules.measuresMotion else { return mask }
        return mask.union([.yaw, .gyroBias, .stepScale, .walkingDirection])
    }

    /// Number of standard deviations beyond which a place is refused if no offer of its source has agreed yet.
    private static let unknownGate = 2.5
    /// Time after an offer of a trusted source during which other sources are compared with the estimate. Unit:
    /// seconds.
    private static let provingSeconds = 3.0
    /// Limit up to which agreement is evidence: ratio of the estimate's standard deviation to that of the place.
    private static let provingRatio = 3.0
    /// Standard deviation of the estimate up to which agreement is always evidence. Unit: metres.
    private static let provingDeviation = 5.0
}

/// Updates the filter with a height from another system.
extension ErrorStateKalmanFilter {
    mutating func apply(height offer: LocalOffer) -> UpdateOutcome? {
        guard gnss.hasPosition else { return nil }
        return UpdateOutcome(correct(heightUpdate(offer, offer.standardDeviation), of: offer))
    }

    private func heightUpdate(_ offer: LocalOffer, _ standardDeviation: Double) -> Update<1> {
        var h = Jacobian<1>()
        h[0, ErrorState.position + 2] = 1
        let deviation = standardDeviation * offers.scale(of: offer)
        return Self.scalarUpdate(
            offer.point.z - state.position.z, h, variance: deviation * deviation,
            mask: [.position, .pressureOffset, .velocity], gate: InnovationGate(rule: .soften), cause: .aid)
    }
}

extension EstimatorSettings {
    /// Error model of offers from other programs.
    public struct Offers: Hashable, Sendable {
        /// Time over which the error of offered positions is assumed to be constant. Raise it to give frequent
        /// positions less weight. Unit: seconds. Origin: a wearer passes a marker or a beacon within this time.
        public var placeSeconds = 10.0

        /// Standard deviation of an unknown height. Unit: metres.
        static let unknownHeight = 100.0
        /// Time for which a source must contradict the estimate before the estimate is assumed to be wrong. Unit:
        /// seconds.
        static let refusedSeconds = 10.0
        /// Time for which the estimate counts as supported after a fix or an offer of another source. Unit: seconds.
        static let supportSeconds = 120.0
    }
}
extension EstimatorSettings.Offers: Unsaved {}
