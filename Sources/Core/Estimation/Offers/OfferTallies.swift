import Model

/// Number of offers of one source and kind that reached the filter, by result.
package struct OfferTally: Hashable, Sendable {
    package fileprivate(set) var source: SourceName
    package fileprivate(set) var kind: OfferKind
    /// Number of offers that corrected or set the state.
    package fileprivate(set) var applied: UInt64 = 0
    /// Number of offers that were compared with the estimate and did not correct it.
    package fileprivate(set) var refused: UInt64 = 0
    /// Time of the newest offer.
    package fileprivate(set) var last: BootTime
}

/// Tallies of the sources whose offers reached the filter; a new source replaces the source that has been silent for
/// longest.
package struct OfferTallies: Sendable {
    private var tallies = InlineArray<16, OfferTally?>(repeating: nil)

    /// Tallies in no particular order.
    package var all: [OfferTally] { tallies.indices.compactMap { tallies[$0] } }

    /// Counts an offer.
    ///
    /// - Parameter outcome: result of the offer; nil if it could not be compared with the estimate.
    mutating func add(_ outcome: UpdateOutcome?, of kind: OfferKind, by source: SourceName, at time: BootTime) {
        func isOwn(_ tally: OfferTally?) -> Bool { tally?.source == source && tally?.kind == kind }
        let index = tallies.slot(isOwn: isOwn) { $0?.last }
        let own = tallies[index].flatMap { isOwn($0) ? $0 : nil }
        var tally = own ?? OfferTally(source: source, kind: kind, last: time)
        tally.last = max(tally.last, time)
        switch outcome?.verdict {
        case .applied, .downWeighted: tally.applied += 1
        case .refused: tally.refused += 1
        case nil: break
        }
        tallies[index] = tally
    }
}
