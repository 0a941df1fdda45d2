import Model

/// Kind of measurement with which the primary filter is updated.
public enum UpdateKind: Int, CaseIterable, Hashable, Sendable {
    /// Position of a fix.
    case gnssPosition
    /// Velocity of a fix.
    case gnssVelocity
    /// Mean of the magnetic field that corrects the yaw. It spans `EstimatorSettings.Magnetic.meanSeconds`, or twice
    /// this time with fixes.
    case magnetometer
    /// Mean of the height from air pressure over `EstimatorSettings.Height.minimumInterval`.
    case barometer
    /// Zero-velocity update at rest.
    case rest
    /// Detected step.
    case steps
    /// Pose of a camera's odometry.
    case camera
    /// Offer from another program: a position, a sighting, a range, a heading or a height.
    case aid
}

/// Counts of the updates with one kind of measurement by result, and the ratio of their innovations to the assumed
/// accuracies.
public struct UpdateTally: Hashable, Sendable {
    /// Number of measurements that corrected the state, including those that were down-weighted.
    public private(set) var applied: UInt64 = 0
    /// Number of measurements that corrected the state with less weight, because their innovation was beyond the gate.
    public private(set) var downWeighted: UInt64 = 0
    /// Number of measurements that did not correct the state.
    public private(set) var refused: UInt64 = 0
    /// Exponential mean of the normalised innovation squared per degree of freedom, over `ratioUpdates` updates; 1 if
    /// the assumed accuracies are right. Nil before the first measurement with an innovation.
    public private(set) var innovationRatio: Double?
    /// Number of ratios in the mean, up to `ratioUpdates`.
    private var ratios = 0.0

    /// Time constant of the mean, which is 100 s for fixes at 1 Hz. In a consistent filter, the mean for three
    /// components then has a standard deviation of 6 %. Unit: updates.
    public static let ratioUpdates = 100.0
    /// Upper limit of the ratio of one update, so that one outlier does not hide all other updates.
    public static let maximumRatio = 100.0

    package init() {}

    @inline(__always)
    mutating func add(_ outcome: UpdateOutcome) {
        switch outcome.verdict {
        case .applied: applied += 1
        case .downWeighted:
            applied += 1
            downWeighted += 1
        case .refused: refused += 1
        }
        guard let ratio = outcome.innovationRatio else { return }
        // Until `ratioUpdates` is reached, this is a plain mean.
        ratios = min(Self.ratioUpdates, ratios + 1)
        let mean = innovationRatio ?? 0
        innovationRatio = mean + (min(Self.maximumRatio, ratio) - mean) / ratios
    }
}

/// Tallies of the updates of the primary filter since the start, one for each kind of measurement.
///
/// They are not part of the filter, so that a restored snapshot does not decrease them and hypotheses have none. A
/// measurement that is applied again after a late measurement is not counted again.
public struct UpdateStatistics: Sendable {
    private var tallies = InlineArray<8, UpdateTally>(repeating: UpdateTally())
    /// Tallies of the offers from other programs, one for each source and kind.
    package private(set) var offers = OfferTallies()

    package init() {}

    /// Tally of a kind of measurement.
    public subscript(kind: UpdateKind) -> UpdateTally { tallies[kind.rawValue] }

    @inline(__always)
    mutating func add(_ outcome: UpdateOutcome?, of kind: UpdateKind) {
        guard let outcome else { return }
        tallies[kind.rawValue].add(outcome)
    }

    mutating func add(_ outcome: UpdateOutcome?, of kind: OfferKind, by source: SourceName, at time: BootTime) {
        add(outcome, of: kind == .odometry ? .camera : .aid)
        offers.add(outcome, of: kind, by: source, at: time)
    }

    @inline(__always)
    mutating func add(_ outcome: FixOutcome) {
        add(outcome.position, of: .gnssPosition)
        add(outcome.velocity, of: .gnssVelocity)
    }
}

/// Counts, by result, of the offers of one source and kind that reached the filter.
package struct OfferTally: Hashable, Sendable {
    package fileprivate(set) var source: SourceName
    package fileprivate(set) var kind: OfferKind
    /// Number of offers that corrected or set the state.
    package fileprivate(set) var applied: UInt64 = 0
    /// Number of offers that were compared with the estimate but did not correct it.
    package fileprivate(set) var refused: UInt64 = 0
    /// Time of the newest offer.
    package fileprivate(set) var last: BootTime
}

/// Tallies of the sources whose offers reached the filter; a new source replaces the source that has been silent for
/// longest.
package struct OfferTallies: Sendable {
    private var tallies = InlineArray<16, OfferTally?>(repeating: nil)

    /// All tallies, in no particular order.
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

/// The counters are not part of the saved state, because no pose depends on them.
extension UpdateStatistics: Unsaved {}
