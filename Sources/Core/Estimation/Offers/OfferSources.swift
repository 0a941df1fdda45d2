import Geometry
import Glibc
import Model

/// What the filter has learned about each source of offers: the ratio of the source's errors to its claimed accuracy,
/// and whether the source contradicts the estimate.
package struct OfferSources: Sendable, Codable {
    /// Number of remembered sources; a new source replaces the source that has been silent for longest.
    package static let count = 16

    private var records = InlineArray<16, Record>(repeating: Record())
    /// Time of the newest offer of a place or a range that was used.
    package private(set) var lastPlaced: BootTime?

    /// Time of the newest offer that corrected the state.
    package private(set) var lastUsed: BootTime?

    /// Record of one source for one kind of offer.
    package struct Record: Hashable, Sendable, Codable {
        /// Name of the source; nil if the record is free.
        package fileprivate(set) var source: SourceName?
        /// Kind of offers to which the record applies.
        package fileprivate(set) var kind = OfferKind.place
        /// Time of the newest offer.
        package fileprivate(set) var last = BootTime(nanoseconds: 0)
        /// Factor by which the claimed standard deviation is multiplied.
        package fileprivate(set) var scale = AccuracyScale()
        /// Number of successive offers that contradicted the estimate.
        package fileprivate(set) var contradictions = 0
        /// Number of offers that agreed with the estimate, counted up to `enough`.
        package fileprivate(set) var agreements = 0
        /// Time of the first of the successive contradictions.
        package fileprivate(set) var contradictsSince: BootTime?

        /// Whether the source is refused, because several successive offers have contradicted the estimate.
        package var isRefused: Bool { contradictions >= OfferSources.minimumCount }

        /// Whether the source is trusted. Enough of its offers must have agreed with the estimate, and it must not be
        /// refused.
        package var isTrusted: Bool { agreements >= OfferSources.enough && !isRefused }

        fileprivate func isOf(_ source: SourceName, _ kind: OfferKind) -> Bool {
            self.source == source && self.kind == kind
        }
    }

    /// Number of successive contradictions after which a source is refused.
    private static let minimumCount = 3
    /// Number of agreements after which a source is trusted.
    private static let enough = 2
    /// Age up to which a place helps to determine the heading. Unit: seconds.
    private static let placingSeconds = 90.0
    /// Time constant with which the scale of a source is learned. Unit: seconds.
    private static let scaleSeconds = 60.0
    /// Largest scale.
    private static let maximumScale = 10.0

    /// Record for the source and kind of an offer; nil if there is none.
    package subscript(offer: LocalOffer) -> Record? { self[offer.source, offer.kind] }

    /// Record for a source and a kind of offer; nil if there is none.
    subscript(source: SourceName, kind: OfferKind) -> Record? {
        for index in records.indices where records[index].isOf(source, kind) { return records[index] }
        return nil
    }

    /// Returns whether successive places determine the heading. A source must be trusted for places, and a place must
    /// have been used recently.
    @inline(__always)
    func showCourse(at time: BootTime) -> Bool {
        guard let lastPlaced, time.seconds(since: lastPlaced) < Self.placingSeconds else { return false }
        for index in records.indices where records[index].isTrusted && records[index].kind == .place { return true }
        return false
    }

    /// Returns the time of the newest place from a source that is trusted for places, other than the source of the
    /// given offer.
    func lastTrustedPlace(beside offer: LocalOffer) -> BootTime? {
        var newest: BootTime?
        for index in records.indices
        where records[index].isTrusted && records[index].kind == .place && records[index].source != offer.source {
            newest = max(newest ?? records[index].last, records[index].last)
        }
        return newest
    }

    /// Returns the factor by which to multiply the standard deviation that a source claims.
    func scale(of offer: LocalOffer) -> Double { self[offer]?.scale.value ?? 1 }

    /// Returns the time since the previous offer of the same source and kind; nil for the first offer. Unit: seconds.
    func interval(before offer: LocalOffer) -> Double? { self[offer].map { offer.time.seconds(since: $0.last) } }

    mutating func note(_ outcome: CorrectionOutcome, of offer: LocalOffer) {
        let interval = interval(before: offer) ?? 0
        let index = slot(of: offer)
        // A refused offer shows that a source is wrong, but not how accurate it is.
        guard !outcome.isAccepted else {
            records[index].scale.note(
                normalizedInnovationSquared: outcome.normalizedInnovationSquared, degreesOfFreedom: outcome.dimensions,
                interval: interval, over: Self.scaleSeconds, maximum: Self.maximumScale)
            records[index].contradictions = 0
            records[index].contradictsSince = nil
            if !outcome.isOutlier { records[index].agreements = min(Self.enough, records[index].agreements + 1) }
            lastUsed = offer.time
            if offer.kind == .place || offer.kind == .range { lastPlaced = offer.time }
            return
        }
        records[index].contradictions += 1
        records[index].contradictsSince = records[index].contradictsSince ?? offer.time
        if records[index].isRefused { records[index].agreements = 0 }
    }

    /// Records an offer that contradicts the estimate and is not applied.
    mutating func refuse(_ offer: LocalOffer) { note(.failed, of: offer) }

    /// Records that an offer has set the position.
    mutating func notePlaced(by offer: LocalOffer) {
        noteSet(by: offer)
        lastPlaced = offer.time
    }

    /// Records that an offer has set a part of the state. This resolves earlier contradictions of its source.
    mutating func noteSet(by offer: LocalOffer) {
        let index = slot(of: offer)
        records[index].contradictions = 0
        records[index].contradictsSince = nil
        records[index].agreements = max(1, records[index].agreements)
        lastUsed = offer.time
    }

    /// Returns the index of the record for the source and kind of an offer, and makes this offer the newest one of the
    /// record.
    private mutating func slot(of offer: LocalOffer) -> Int {
        let index = records.slot(
            isOwn: { $0.isOf(offer.source, offer.kind) }, last: { $0.source == nil ? nil : $0.last })
        if !records[index].isOf(offer.source, offer.kind) { records[index] = Record() }
        records[index].source = offer.source
        records[index].kind = offer.kind
        records[index].last = offer.time
        return index
    }
}
