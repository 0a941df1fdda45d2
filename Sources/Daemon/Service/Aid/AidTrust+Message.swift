import Estimation
import Model
import WaymarkInterface

extension OfferTrust.State {
    fileprivate var message: AidInterface.AidTrustState {
        switch self {
        case .trusted: .trusted
        case .watched: .watched
        case .refused: .refused
        }
    }
}

extension OfferTrust.Cause {
    package var message: AidInterface.AidDoubt {
        switch self {
        case .new: .new
        case .headingUnknown: .headingUnknown
        case .positionUnknown: .positionUnknown
        case .otherCamera: .otherCamera
        case .contradictsEstimate: .contradictsEstimate
        case .contradictsMotion: .contradictsMotion
        case .jumps: .jumps
        case .turnsAway: .turnsAway
        case .repeatsPose: .repeatsPose
        }
    }
}

extension OfferKind {
    package var message: AidInterface.AidKind {
        switch self {
        case .odometry: .odometry
        case .place: .position
        case .direction, .landmark: .sighting
        case .range: .range
        case .height: .height
        case .heading: .heading
        }
    }
}

extension AidInterface.AidTrust {
    /// Reports the estimator's trust in one kind of measurement of one source.
    ///
    /// - Parameters:
    ///   - found: the estimator's trust in the offers of all sources. It has separate entries for sightings of points
    ///     and of the sun; the worse one is reported.
    ///   - open: names of the sources that are open.
    ///   - accuracy: accuracy that the newest offer claims; nil before the first offer.
    package init(
        _ kind: AidInterface.AidKind, of source: SourceName, among found: [OfferTrust], open: some Sequence<SourceName>,
        accuracy: Double?
    ) {
        let own = found.filter { $0.source == source && $0.kind.message == kind }
        let worst = own.max { $0.state.severity < $1.state.severity }
        // The poses of a second camera never reach the filter, so the estimator has no trust entry for it.
        let isSecond =
            kind == .odometry && own.isEmpty
            && open.contains { other in
                other != source && found.contains { $0.source == other && $0.kind == .odometry }
            }
        let cause = worst.map(\.cause) ?? (isSecond ? .otherCamera : .new)
        self.init(
            kind: OpenWord(kind), state: OpenWord((worst?.state ?? .watched).message),
            cause: cause.map { OpenWord($0.message) }, accuracy: accuracy,
            accuracyScale: own.compactMap(\.accuracyScale).max(),
            applied: Int(clamping: own.reduce(0) { $0 + $1.applied }),
            refused: Int(clamping: own.reduce(0) { $0 + $1.refused }))
    }
}

extension OfferTrust.State {
    fileprivate var severity: Int {
        switch self {
        case .trusted: 0
        case .watched: 1
        case .refused: 2
        }
    }
}

extension AidMeasurement.Content {
    /// Accuracy that the offer claims, as its parameter gives it; nil for odometry. Unit: metres, or degrees for
    /// directions.
    var claimedAccuracy: Double? {
        switch self {
        case .odometry: nil
        case .position(let position): position.horizontalAccuracy
        case .sighting(let sighting): sighting.standardDeviation * 180 / .pi
        case .range(let range): range.standardDeviation
        case .heading(let heading): heading.standardDeviation * 180 / .pi
        case .height(let height): height.standardDeviation
        }
    }
}

extension AidInterface.AidSourceState {
    /// Age of a camera's newest pose beyond which the camera counts as having lost track. Unit: seconds.
    private static let patience = 1.0

    /// Chooses the worst state among the source's kinds of measurement.
    ///
    /// - Parameters:
    ///   - age: time since its newest offer was measured; nil before the first. Unit: seconds.
    ///   - poseAge: time since a camera's newest pose was measured; nil before the first. Unit: seconds.
    ///   - trust: the estimator's trust in each kind of measurement that it checks.
    package init(age: Double?, poseAge: Double?, _ trust: [AidInterface.AidTrust]) {
        let states = trust.compactMap(\.state.known)
        self =
            if age == nil {
                .waiting
            } else if let poseAge, poseAge > Self.patience {
                .lost
            } else if states.contains(.refused) {
                .refused
            } else if states.contains(.watched) {
                .watched
            } else {
                states.isEmpty ? .used : .trusted
            }
    }
}
