import Geometry
import Model

/// Measurement that another program offers, in the local frame. Those of a camera's odometry are a `CameraPose`.
package struct LocalOffer: Hashable, Sendable, Codable {
    /// Instant of the measurement.
    package var time: BootTime
    /// Who measured.
    package var source: SourceName
    /// What is measured: any kind but odometry.
    package var kind: OfferKind
    /// Whether the height of a place counts.
    package var hasHeight = false
    /// Position of the board or of the known point, height of the board as `z`; or the direction, of length 1, of the
    /// sun or of the line of sight. Frame: ENU at the origin. Unit: metres.
    package var point: Vector3
    /// Direction that points to it, of length 1. Frame: body.
    package var directionInBody = Vector3.zero
    /// Distance. Unit: metres.
    package var range = 0.0
    /// Standard deviation: per horizontal axis of a place, of an angle, a distance or a height. Units: metres, radians.
    package var standardDeviation: Double
    /// Standard deviation of the height of a place. Unit: metres.
    package var heightStandardDeviation = 0.0
    /// Properties of the place.
    package var site: Site?

    package init(time: BootTime, source: SourceName, kind: OfferKind, point: Vector3, standardDeviation: Double) {
        self.time = time
        self.source = source
        self.kind = kind
        self.point = point
        self.standardDeviation = standardDeviation
    }

    /// Whether offers of this kind that follow each other show the motion, and so the heading.
    @inline(__always)
    var showsMotion: Bool { kind == .place || kind == .range }

    /// Moves to a new origin of ENU, at `-offset` in the old one.
    mutating func shift(by offset: Vector3) {
        if kind != .direction, kind != .heading { point += offset }
    }
}

/// An offer with what the primary filter knows of its source; the hypotheses take it as well.
struct AssessedOffer: Sendable {
    let offer: LocalOffer
    /// Standard deviation that the offer deserves. Unit: metres, radians.
    let standardDeviation: Double
    /// Whether the source is trusted: what contradicts it may then be the estimate.
    let isTrusted: Bool
}

extension ErrorStateKalmanFilter {
    /// Applies an offer. The state must be at its time.
    ///
    /// - Returns: the result; nil for an offer that cannot be used yet.
    mutating func apply(_ offer: LocalOffer) -> UpdateOutcome? {
        propagateCovariance()
        influence.cause = .aid
        switch offer.kind {
        case .place: return apply(place: offer)
        case .direction, .landmark, .heading: return apply(direction: offer)
        case .range: return apply(range: offer)
        case .height: return apply(height: offer)
        case .odometry: return nil
        }
    }

    /// Applies an offer that shows the motion to a hypothesis of another heading. The state must be at its time.
    mutating func weigh(_ assessed: AssessedOffer) {
        propagateCovariance()
        influence.cause = .aid
        switch assessed.offer.kind {
        case .place: weigh(place: assessed)
        case .range: weigh(range: assessed)
        case .direction, .heading, .landmark, .height, .odometry: break
        }
    }

    /// Finds how accurate an offer is by what its source has shown, and by what lasts from one to the next. `mutating`
    /// avoids a copy of the filter.
    mutating func assess(_ offer: LocalOffer) -> AssessedOffer {
        let repetition = offer.kind == .place ? repetition(of: offer) : 1
        return AssessedOffer(
            offer: offer, standardDeviation: offer.standardDeviation * repetition * offers.scale(of: offer),
            isTrusted: offers[offer]?.isTrusted == true)
    }

    /// Corrects by an offer of a source, with its learned accuracy, unless it contradicts what is known.
    mutating func correct<let Rows: Int>(_ update: Update<Rows>, of offer: LocalOffer) -> CorrectionOutcome {
        let outcome = apply(update)
        offers.note(outcome, of: offer)
        return outcome
    }
}
