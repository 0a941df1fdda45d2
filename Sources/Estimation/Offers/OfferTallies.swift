import Model

/// Kind of measurement that other programs offer, as the filter distinguishes them.
package enum OfferKind: UInt8, Hashable, Sendable {
    /// Pose of a camera's odometry.
    case odometry
    /// Position of the board.
    case place
    /// Direction to the sun.
    case direction
    /// Direction to a known point.
    case landmark
    /// Distance to a known point.
    case range
    /// Height of the board.
    case height
    /// Azimuth of the line of sight.
    case heading

    init(_ kind: LocalOffer.Kind) {
        self =
            switch kind {
            case .place: .place
            case .direction: .direction
            case .landmark: .landmark
            case .range: .range
            case .height: .height
            case .heading: .heading
            }
    }
}

/// Number of offers of one source and kind that reached the filter, by their result.
package struct OfferTally: Hashable, Sendable {
    package fileprivate(set) var source: SourceName
    package fileprivate(set) var kind: OfferKind
    /// Number of offers that corrected the state, or set it.
    package fileprivate(set) var applied: UInt64 = 0
    /// Number of offers that were compared with the estimate and did not correct it.
    package fileprivate(set) var refused: UInt64 = 0
    /// Time of the newest offer.
    package fileprivate(set) var last: BootTime
}

/// Tallies of the sources whose offers reached the filter; the one that was silent longest gives way.
package struct OfferTallies: Sendable {
    private var tallies = InlineArray<16, OfferTally?>(repeating: nil)

    init() {}

    /// Tallies in no particular order.
    package var all: [OfferTally] { tallies.indices.compactMap { tallies[$0] } }

    /// Counts an offer.
    ///
    /// - Parameter outcome: its result; nil for one that could not be compared with the estimate.
    mutating func add(_ outcome: UpdateOutcome?, of kind: OfferKind, by source: SourceName, at time: BootTime) {
        let index = slot(of: kind, by: source)
        var tally = tallies[index] ?? OfferTally(source: source, kind: kind, last: time)
        tally.last = max(tally.last, time)
        switch outcome?.verdict {
        case .applied, .downWeighted: tally.applied += 1
        case .refused: tally.refused += 1
        case nil: break
        }
        tallies[index] = tally
    }

    /// Index of the tally of a source: its own, a free one, or that of the source that was silent longest, emptied.
    private mutating func slot(of kind: OfferKind, by source: SourceName) -> Int {
        var (free, oldest): (Int?, Int) = (nil, 0)
        for index in tallies.indices {
            guard let tally = tallies[index] else {
                free = free ?? index
                continue
            }
            if tally.source == source, tally.kind == kind { return index }
            if let other = tallies[oldest], tally.last < other.last { oldest = index }
        }
        if let free { return free }
        tallies[oldest] = nil
        return oldest
    }
}
