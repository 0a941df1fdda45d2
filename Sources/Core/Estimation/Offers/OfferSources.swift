import Geometry
import Model

#if canImport(Glibc)
    import Glibc
#endif

/// What the filter has learned of each source of offers: how much worse than claimed it is, and whether it contradicts
/// the others.
package struct OfferSources: Sendable, Codable {
    /// Number of sources that are remembered; the one that was silent longest gives way.
    package static let count = 16

    private var records = InlineArray<16, Record>(repeating: Record())
    /// Newest time at which an offer of a place or a range was used.
    package private(set) var lastPlaced: BootTime?

    /// Time of the newest offer that corrected the state.
    package private(set) var lastUsed: BootTime?

    package init() {}

    /// What is known of one source.
    package struct Record: Hashable, Sendable, Codable {
        /// Name; nil of a record that is free.
        package fileprivate(set) var source: SourceName?
        /// Kind of its offers that the record is about.
        package fileprivate(set) var kind = OfferKind.place
        /// Time of the newest offer.
        package fileprivate(set) var last = BootTime(nanoseconds: 0)
        /// Factor of the claimed standard deviation.
        package fileprivate(set) var scale = AccuracyScale()
        /// Number of successive offers that contradicted.
        package fileprivate(set) var contradictions = 0
        /// Number of offers that agreed, as far as it matters.
        package fileprivate(set) var agreements = 0
        /// Time of the first of them.
        package fileprivate(set) var contradictsSince: BootTime?

        /// Whether the source is refused: several offers in a row have contradicted what is known otherwise.
        package var isRefused: Bool { contradictions >= OfferSources.fewest }

        /// Whether the source is trusted: offers of it have agreed with what is known otherwise, and the newest did.
        package var isTrusted: Bool { agreements >= OfferSources.enough && !isRefused }

        package init() {}

        fileprivate func isOf(_ source: SourceName, _ kind: OfferKind) -> Bool {
            self.source == source && self.kind == kind
        }
    }

    /// Number of successive contradictions by which a source is refused.
    private static let fewest = 3
    /// Number of agreements by which a source is trusted.
    private static let enough = 2
    /// Time after which a place no longer shows the course. Unit: seconds.
    private static let placingSeconds = 90.0
    /// Time constant with which a scale is learned. Unit: seconds.
    private static let scaleSeconds = 60.0
    /// Largest scale.
    private static let largestScale = 10.0

    /// Record of the source of an offer, for its kind; nil for one that is not known.
    package subscript(offer: LocalOffer) -> Record? { self[offer.source, offer.kind] }

    /// Record of a source for a kind; nil for one that is not known.
    subscript(source: SourceName, kind: OfferKind) -> Record? {
        for index in records.indices where records[index].isOf(source, kind) { return records[index] }
        return nil
    }

    /// Whether places of a trusted source follow each other, and show the heading over the way between them.
    @inline(__always)
    func showCourse(at time: BootTime) -> Bool {
        guard let lastPlaced, time.seconds(since: lastPlaced) < Self.placingSeconds else { return false }
        for index in records.indices where records[index].isTrusted && records[index].kind == .place { return true }
        return false
    }

    /// Time of the newest place of another source than that of an offer, among those that are trusted for places.
    func lastTrustedPlace(beside offer: LocalOffer) -> BootTime? {
        var newest: BootTime?
        for index in records.indices
        where records[index].isTrusted && records[index].kind == .place && records[index].source != offer.source {
            newest = max(newest ?? records[index].last, records[index].last)
        }
        return newest
    }

    /// Factor of the standard deviation that a source claims.
    func scale(of offer: LocalOffer) -> Double { self[offer]?.scale.value ?? 1 }

    /// Time since the offer before of a source; nil for the first. Unit: seconds.
    func interval(before offer: LocalOffer) -> Double? { self[offer].map { offer.time.seconds(since: $0.last) } }

    /// Notes an offer by its result.
    mutating func note(_ outcome: CorrectionOutcome, of offer: LocalOffer) {
        let interval = interval(before: offer) ?? 0
        let index = slot(of: offer)
        // What is refused shows how wrong a source is, not how accurate.
        if outcome.isAccepted {
            records[index].scale.note(
                normalizedInnovationSquared: outcome.normalizedInnovationSquared, degreesOfFreedom: outcome.dimensions,
                interval: interval, over: Self.scaleSeconds, largest: Self.largestScale)
        }
        guard !outcome.isAccepted else {
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

    /// Notes an offer that contradicts what is known otherwise, and is not applied.
    mutating func refuse(_ offer: LocalOffer) {
        note(
            CorrectionOutcome(isAccepted: false, isOutlier: true, normalizedInnovationSquared: 0), of: offer)
    }

    /// Notes that a source has set the position.
    mutating func notePlaced(by offer: LocalOffer) {
        noteSet(by: offer)
        lastPlaced = offer.time
    }

    /// Notes that a source has set a part of the state, so that nothing contradicts it.
    mutating func noteSet(by offer: LocalOffer) {
        let index = slot(of: offer)
        records[index].contradictions = 0
        records[index].contradictsSince = nil
        records[index].agreements = max(1, records[index].agreements)
        lastUsed = offer.time
    }

    /// Index of the record of the source of an offer, which is its newest now.
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
