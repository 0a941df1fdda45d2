import Geometry
import Model
import State

/// Update by a position of another system than satellites.
extension ErrorStateKalmanFilter {
    /// Corrects the position by that of another system, which shows no heading, and sets it where none is known.
    mutating func apply(place offer: LocalOffer) -> UpdateOutcome? {
        if let site = offer.site { settle(at: site) }
        guard gnss.hasPosition else {
            begin(at: offer)
            return .applied
        }
        restoreUnnoticed()
        let repetition = repetition(of: offer)
        let outcome = correct(placeUpdate(offer, offer.standardDeviation * repetition), of: offer)
        guard outcome.isAccepted else {
            guard isPlaceLost(by: offer) else { return UpdateOutcome(outcome) }
            begin(at: offer)
            return .applied
        }
        if offer.hasHeight { apply(heightUpdate(offer, offer.heightStandardDeviation * repetition)) }
        notePlaced()
        return UpdateOutcome(outcome)
    }

    /// Sets the position to an offered one.
    private mutating func begin(at offer: LocalOffer) {
        let deviation = offer.standardDeviation * offers.scale(of: offer.source)
        var point = offer.point
        if !offer.hasHeight { point.z = state.position.z }
        let before = state.position
        resetCovariance(ErrorState.position, count: 2, variance: deviation * deviation)
        let vertical = offer.hasHeight ? offer.heightStandardDeviation : EstimatorSettings.Offers.unknownHeight
        resetCovariance(ErrorState.position + 2, count: 1, variance: vertical * vertical)
        state.position = point
        influence.add(shift: point - before, yaw: 0)
        gnss.hasPosition = true
        offers.notePlaced(by: offer)
        forgetPressureOffset()
        notePlaced()
    }

    /// Takes back that the wearer stayed, which was only assumed.
    private mutating func restoreUnnoticed() {
        guard !rules.measuresMotion else { return }
        let away = settings.unaided.unnoticedSpeed * state.time.seconds(since: place.since)
        restorePlaceVariance()
        if rules.holdsPlace { widen(ErrorState.position, count: 2, by: away * away) }
        place.move(to: state.position, at: state.time)
    }

    private mutating func notePlaced() {
        if !rules.measuresMotion { place.move(to: state.position, at: state.time) }
    }

    /// Whether the estimate is wrong rather than a source that contradicts it: the source has done so for long, and
    /// neither a fix nor another source has supported the estimate since.
    private func isPlaceLost(by offer: LocalOffer) -> Bool {
        guard let record = offers[offer.source], record.isRefused, let since = record.contradictsSince else {
            return false
        }
        let isSupported = [gnss.lastPosition, offers.lastPlaced].contains { last in
            last.map { $0 > since.shifted(by: -EstimatorSettings.Offers.supportNanoseconds) } ?? false
        }
        return !isSupported
    }

    /// Measurement model `z = p` over ground. A source that is trusted may show that dead reckoning was wrong.
    private func placeUpdate(_ offer: LocalOffer, _ standardDeviation: Double) -> Update<2> {
        let deviation = standardDeviation * offers.scale(of: offer.source)
        let isTrusted = offers[offer.source]?.isTrusted ?? false
        var h = Jacobian<2>()
        var r = Matrix<2, 1>()
        let distance = Self.column(offer.point - state.position)
        for i in 0..<2 {
            h[i, ErrorState.position + i] = 1
            r[i, 0] = distance[i, 0]
        }
        return Update(
            innovation: r, jacobian: h, noise: deviation * deviation * .diagonalOnes, mask: placeMask,
            gate: isTrusted
                ? InnovationGate(rule: .soften) : InnovationGate(limit: Self.unknownGate, rule: .reject),
            cause: .aid)
    }

    /// Factor of a standard deviation that lasts: offers in quick succession count as one.
    private func repetition(of offer: LocalOffer) -> Double {
        guard let interval = offers.interval(before: offer) else { return 1 }
        return max(1, settings.offers.placeSeconds / max(0.01, interval)).squareRoot()
    }

    /// States that a place may correct: with a heading, dead reckoning is corrected with all that it depends on.
    private var placeMask: GainMask {
        let mask = rules.fixMask.subtracting([.yaw, .magneticOffset])
        guard rules.hasYaw, rules.isWalk, !rules.measuresMotion else { return mask }
        return mask.union([.yaw, .gyroBias, .stepScale, .walkingDirection, .magneticOffset])
    }

    /// Standard deviations beyond which the place of a source that has not agreed before is refused.
    private static let unknownGate = 2.5
}

/// Update by a height of another system.
extension ErrorStateKalmanFilter {
    mutating func apply(height offer: LocalOffer) -> UpdateOutcome? {
        guard gnss.hasPosition else { return nil }
        return UpdateOutcome(correct(heightUpdate(offer, offer.standardDeviation), of: offer))
    }

    private func heightUpdate(_ offer: LocalOffer, _ standardDeviation: Double) -> Update<1> {
        var h = Jacobian<1>()
        h[0, ErrorState.position + 2] = 1
        let deviation = standardDeviation * offers.scale(of: offer.source)
        return Self.scalarUpdate(
            offer.point.z - state.position.z, h, variance: deviation * deviation,
            mask: [.position, .pressureOffset, .velocity], gate: InnovationGate(rule: .soften), cause: .aid)
    }
}

extension EstimatorSettings {
    /// Error model of what other programs offer.
    public struct Offers: Hashable, Sendable {
        /// Time within which the error of an offered position does not change. Raise it to let frequent positions count
        /// less. Unit: seconds. Origin: a wearer passes a marker or a beacon within it.
        public var placeSeconds = 10.0
        /// Standard deviation of the error of a range that went around something. Unit: metres.
        public var detour = 3.0
        /// Makes the defaults.
        public init() {}

        /// Standard deviation of a height that nothing has shown. Unit: metres.
        static let unknownHeight = 100.0
        /// Time before a contradiction within which another source supports the estimate: 2 min. Unit: ns.
        static let supportNanoseconds: Int64 = 120_000_000_000
    }
}
extension EstimatorSettings.Offers: Unsaved {}
