import Geometry
import Model

/// Measurement that another program offers, converted to the local frame. A pose of a camera's odometry is represented
/// by a `CameraPose` instead.
package struct LocalOffer: Hashable, Sendable, Codable {
    /// Instant of the measurement.
    package var time: BootTime
    package var source: SourceName
    /// Kind of measurement; never `odometry`.
    package var kind: OfferKind
    /// Whether the height of a place is valid.
    package var hasHeight = false
    /// Position of the board (`place`) or of the known point (`landmark`, `range`); for a `height` only `z` is valid.
    /// For the other kinds it is a unit vector, to the sun (`direction`) or along the line of sight (`heading`). Frame:
    /// ENU at the origin. Unit: metres.
    package var point: Vector3
    /// Measured unit vector in the direction of `point`. Frame: body.
    package var directionInBody = Vector3.zero
    /// Distance. Unit: metres.
    package var range = 0.0
    /// Standard deviation of the measured place (per horizontal axis), angle, distance or height. Units: metres,
    /// radians.
    package var standardDeviation: Double
    /// Standard deviation of the height of a place. Unit: metres.
    package var heightStandardDeviation = 0.0
    package var site: Site?

    package init(time: BootTime, source: SourceName, kind: OfferKind, point: Vector3, standardDeviation: Double) {
        self.time = time
        self.source = source
        self.kind = kind
        self.point = point
        self.standardDeviation = standardDeviation
    }

    /// Whether successive offers of this kind contain information about the motion, and therefore about the heading.
    @inline(__always)
    var showsMotion: Bool { kind == .place || kind == .range }

    /// Moves the ENU origin by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        if kind != .direction, kind != .heading { point += offset }
    }
}

/// Kind of measurement that other programs offer, as distinguished by the filter. Offers with the same time are applied
/// in the order of the cases; the raw values are stored in saved states.
package enum OfferKind: UInt8, Hashable, Sendable, Codable {
    /// Position of the board.
    case place
    /// Direction in the body frame in which the sun was seen. Its azimuth is compared with that of the sun.
    case direction
    /// Direction in the body frame in which a known point was seen. Its azimuth is compared with that of the point.
    case landmark
    /// Distance to a known point.
    case range
    /// Height of the board.
    case height
    /// Azimuth of the line of sight.
    case heading
    /// Pose of a camera's odometry, represented by a `CameraPose` instead of a `LocalOffer`.
    case odometry
}

/// Offer together with the primary filter's assessment of it. The hypotheses use the same assessment.
struct AssessedOffer: Sendable {
    let offer: LocalOffer
    /// Standard deviation of the offer according to the assessment. Unit: metres, radians.
    let standardDeviation: Double
    /// Whether the source is trusted. If it is, a contradiction may be an error of the estimate.
    let isTrusted: Bool
}

extension ErrorStateKalmanFilter {
    /// Applies an offer. The state must already be predicted to the time of the offer.
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

    /// Applies an offer to a yaw hypothesis, if offers of its kind contain information about motion. The state must
    /// already be predicted to the time of the offer.
    mutating func weigh(_ assessed: AssessedOffer) {
        propagateCovariance()
        influence.cause = .aid
        switch assessed.offer.kind {
        case .place: weigh(place: assessed)
        case .range: weigh(range: assessed)
        case .direction, .heading, .landmark, .height, .odometry: break
        }
    }

    /// Assesses the accuracy of an offer from earlier offers of its source and from the errors that successive offers
    /// share. The method is `mutating` to avoid a copy of the filter.
    mutating func assess(_ offer: LocalOffer) -> AssessedOffer {
        let repetition = offer.kind == .place ? repetition(of: offer) : 1
        return AssessedOffer(
            offer: offer, standardDeviation: offer.standardDeviation * repetition * offers.scale(of: offer),
            isTrusted: offers[offer]?.isTrusted == true)
    }

    /// Corrects the state with an offer, using the learned accuracy of its source, unless the offer contradicts the
    /// estimate.
    mutating func correct<let Rows: Int>(_ update: Update<Rows>, of offer: LocalOffer) -> CorrectionOutcome {
        let outcome = apply(update)
        offers.note(outcome, of: offer)
        return outcome
    }
}
