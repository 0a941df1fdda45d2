import Model

/// How far the estimator trusts one kind of measurement from a source, and the accuracy that it has learned.
package struct OfferTrust: Hashable, Sendable {
    /// How the offers of a source are used.
    package enum State: Hashable, Sendable {
        /// Offers correct the estimate.
        case trusted
        /// Offers are compared with the estimate, and correct it only if they agree.
        case watched
        /// The newest offers have contradicted the estimate from other measurements.
        case refused
    }

    /// Reason why a source is not trusted.
    package enum Cause: Hashable, Sendable {
        /// Too few offers of the source have been compared.
        case new
        /// The heading is unknown, so the poses of a camera cannot be compared with the estimate.
        case headingUnknown
        /// The position is unknown. Until it is known, a range, a height or the direction of a point cannot be used.
        case positionUnknown
        /// The odometry of another camera is being used.
        case otherCamera
        /// Offers contradict the estimate from other measurements.
        case contradictsEstimate
        /// The displacement or rotation of a camera contradicts the motion measured by other sensors.
        case contradictsMotion
        /// The pose of a camera jumped without a new reset number.
        case jumps
        /// The yaw of a camera diverges.
        case turnsAway
        /// A camera repeats its pose while the wearer moves.
        case repeatsPose
    }

    package let source: SourceName
    package let kind: OfferKind
    package let state: State
    /// Reason why the source is not trusted; nil if it is trusted.
    package let cause: Cause?
    /// Ratio of the learned errors to the accuracy that the source claims or, for a camera, to the errors assumed for
    /// every camera; at least 1. It is nil if no offer has corrected the estimate.
    package let accuracyScale: Double?
    /// Number of offers that corrected the estimate.
    package let applied: UInt64
    /// Number of offers that were compared with the estimate and did not correct it.
    package let refused: UInt64
    /// Time of the newest offer.
    package let last: BootTime

    package init(
        source: SourceName, kind: OfferKind, state: State, cause: Cause?, accuracyScale: Double?, applied: UInt64,
        refused: UInt64, last: BootTime
    ) {
        self.source = source
        self.kind = kind
        self.state = state
        self.cause = cause
        self.accuracyScale = accuracyScale
        self.applied = applied
        self.refused = refused
        self.last = last
    }

    init(_ tally: OfferTally, _ use: (state: State, cause: Cause?), accuracyScale: Double?) {
        self.init(
            source: tally.source, kind: tally.kind, state: use.state, cause: use.cause,
            accuracyScale: tally.applied > 0 ? accuracyScale : nil, applied: tally.applied, refused: tally.refused,
            last: tally.last)
    }
}

extension FilterTimeline {
    /// Returns the trust in each source and kind whose offers have reached the filter, sorted by name.
    package func aidTrust() -> [OfferTrust] {
        updates.offers.all.map(trust).sorted {
            ($0.source.text, $0.kind.rawValue) < ($1.source.text, $1.kind.rawValue)
        }
    }

    private func trust(_ tally: OfferTally) -> OfferTrust {
        guard tally.kind != .odometry else {
            let isUsed = filter.camera?.source == tally.source
            return OfferTrust(
                tally, useOfCamera(tally.source), accuracyScale: isUsed ? filter.cameraTrust.scale : nil)
        }
        let record = filter.offers[tally.source, tally.kind]
        return OfferTrust(tally, use(tally, record), accuracyScale: record?.scale.value ?? 1)
    }

    private func use(
        _ tally: OfferTally, _ record: OfferSources.Record?
    ) -> (state: OfferTrust.State, cause: OfferTrust.Cause?) {
        guard let record else {
            let needsPosition = [.landmark, .range, .height].contains(tally.kind) && !filter.gnss.hasPosition
            return (.watched, needsPosition ? .positionUnknown : .new)
        }
        if record.isRefused { return (.refused, .contradictsEstimate) }
        if record.isTrusted { return (.trusted, nil) }
        return (.watched, tally.refused > 0 ? .contradictsEstimate : .new)
    }

    private func useOfCamera(_ source: SourceName) -> (state: OfferTrust.State, cause: OfferTrust.Cause?) {
        guard let camera = filter.camera else { return (.watched, filter.rules.hasYaw ? .new : .headingUnknown) }
        guard camera.source == source else { return (.watched, .otherCamera) }
        let trust = filter.cameraTrust
        if trust.isRepeating { return (.refused, .repeatsPose) }
        if trust.isTrusted { return (.trusted, nil) }
        return switch trust.doubt {
        case .new: (.watched, .new)
        case .jumps: (.refused, .jumps)
        case .contradictsMotion: (.refused, .contradictsMotion)
        case .turnsAway: (.refused, .turnsAway)
        }
    }
}
