import Geometry
import Model

/// Gaussian-sum yaw estimator: a bank of filters with different initial yaws, which run in parallel until the fixes of
/// a moving body have determined the right yaw.
///
/// The published filter, called the primary filter, runs in parallel. If it has a heading, it is one of the hypotheses;
/// if not, its yaw is a consider state. The passing of time is no evidence, because the yaw is unobservable at rest or
/// at constant velocity.
///
/// Source: Alspach, Sorenson, "Nonlinear Bayesian estimation using Gaussian sum approximations", IEEE Trans. Automatic
/// Control 17(4), 1972.
package struct HypothesisBank: Sendable, Codable {
    /// Number of hypotheses.
    package static let size = 8
    /// Hypotheses; empty once the bank has been closed for longer than the snapshots reach back.
    private var members: [ErrorStateKalmanFilter] = []
    package private(set) var search = HeadingSearch()
    /// States of the search, one for each snapshot of the timeline.
    private var past = Ring<Moment>(capacity: FilterTimeline.snapshotCount)
    /// Members at each snapshot that was taken while the bank was open. The index of each is the snapshot's
    /// `search.place`.
    private var pastMembers: [HypothesisRecord] = []
    private var sinceUpdate = MotionSinceUpdate()
    /// Whether the members have changed since they were last recorded.
    private var hasChanged = true

    /// State of the bank at a snapshot, without the members.
    private struct Moment: Sendable, Codable {
        var search: HeadingSearch
        var sinceUpdate: MotionSinceUpdate
    }

    package var isOpen: Bool { search.isOpen }

    // MARK: Measurements that the primary filter uses too

    /// Accumulates an inertial sample that the primary filter has just integrated.
    @inline(__always)
    mutating func add(_ sample: InertialSample, _ increment: InertialIncrement, _ state: NavigationState) {
        guard isOpen else { return }
        sinceUpdate.motion.add(sample, increment, state)
    }

    /// Records the step that the primary filter has just detected, if any.
    @inline(__always)
    mutating func noteStep(of primary: borrowing ErrorStateKalmanFilter) {
        guard isOpen, primary.steppedAt == primary.state.time, let step = primary.newestStep else { return }
        sinceUpdate.note(step)
    }

    /// Whether the members must follow even without a fix. This is the case before the next step, since only one step
    /// is recorded, and when their pseudo-measurements are due.
    @inline(__always)
    var isDue: Bool {
        sinceUpdate.motion.duration
            >= (sinceUpdate.seen == nil ? Self.maximumMotionDuration : Self.maximumMotionWithStepDuration)
    }

    /// Longest motion that one prediction of the members may cover, if the motion contains a step of the wearer. Unit:
    /// seconds.
    private static let maximumMotionWithStepDuration = 0.395
    /// Longest motion that one prediction of the members may cover. Unit: seconds.
    private static let maximumMotionDuration = 0.995

    /// Predicts the members to the time of the primary filter.
    ///
    /// - Parameter primary: filter to follow; `inout` only to avoid a copy.
    mutating func follow(_ primary: inout ErrorStateKalmanFilter) {
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) { members[k].follow(&primary, sinceUpdate) }
        sinceUpdate = MotionSinceUpdate()
        hasChanged = true
    }

    /// Applies a fix to the members. They must have followed the primary filter to the epoch of the fix.
    mutating func apply(_ fix: AssessedFix) { forMembers { $0.apply(fix) } }

    /// Applies an offer that contains information about motion to the members. They must have followed the primary
    /// filter to the time of the offer.
    mutating func apply(_ offer: AssessedOffer) { forMembers { $0.weigh(offer) } }

    /// Records a height measured by air pressure. The members apply the newest height when they next follow.
    @inline(__always)
    mutating func note(_ sample: PressureHeight) { sinceUpdate.height = sample }

    @inline(__always)
    private mutating func forMembers(_ act: (inout ErrorStateKalmanFilter) -> Void) {
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) { act(&members[k]) }
        hasChanged = true
    }

    /// Moves the ENU origin of members and snapshots by `-offset`, so that all coordinates grow by `offset`.
    mutating func shift(by offset: Vector3) {
        for k in members.indices { members[k].shift(by: offset) }
        guard let like = members.first else { return }
        for k in pastMembers.indices { pastMembers[k].shift(by: offset, like: like) }
    }

    // MARK: The search

    /// Weights the hypotheses after a fix. Opens the bank when needed, and closes it once a hypothesis has won.
    mutating func update(_ primary: inout ErrorStateKalmanFilter) {
        if primary.heading.isRefuted, primary.settings.parts.contains(.headingRefutation) {
            primary.invalidateHeading()
        }
        guard primary.rules.searchesYaw else { return }
        let isKnown = primary.rules.hasYaw
        // A search that has observed no motion restarts, because its members lack what the field has since revealed
        // about the gyroscope.
        let limit = primary.settings.rest.gnssSpeed
        let isStill = primary.gnss.motion.isMoving(at: primary.state.time, beyond: limit) == false
        // If a receiver's speed contradicts the steps, its fixes are not evidence, because its positions are no better.
        let isRefuted = primary.velocityCredibility.isRefuted
        guard isOpen, search.primaryIsHypothesis == isKnown, !isStill || search.hasMoved, !isRefuted,
            !search.isNewlyVague(primary.standing)
        else {
            return open(around: &primary)
        }
        weigh(&primary)
        guard search.isDecided else { return }
        settle(&primary)
    }

    private mutating func open(around primary: inout ErrorStateKalmanFilter) {
        primary.heading.forgetEvidence()
        if members.isEmpty {
            members = Array(repeating: primary, count: Self.size)
            pastMembers = Array(repeating: HypothesisRecord(&primary), count: Self.size * FilterTimeline.snapshotCount)
        }
        search.open(around: primary)
        sinceUpdate = MotionSinceUpdate()
        hasChanged = true
        let spacing = 2 * Double.pi / Double(Self.size)
        for k in members.indices where search.isAlive(k) {
            members[k] = primary
            members[k].startHypothesis(yaw: Double(k) * spacing, standardDeviation: spacing / 2)
        }
    }

    /// - Parameter primary: filter to compare; `inout` only to avoid a copy.
    private mutating func weigh(_ primary: inout ErrorStateKalmanFilter) {
        let north = primary.state.rotationENUFromBody.inverse
        for k in members.indices where search.isAlive(k) { search.note(k, members[k].standing, against: north) }
        search.note(primary: primary.standing)
        search.conclude(by: primary.motionEvidence, at: primary.state.time)
    }

    private mutating func settle(_ primary: inout ErrorStateKalmanFilter) {
        if let winner = search.winner {
            let track = primary.gait.walked.number
            primary.adopt(members[winner])
            primary.turnBody(by: search.offset)
            primary.widenYaw(atLeast: max(search.variance, search.minimumVariance))
            // The winner's steps differed slightly from the steps of the previous filter.
            primary.gait.walked.restart(after: track)
        } else {
            primary.doubtLocalDirection(atLeast: search.minimumVariance)
        }
        primary.settleHeading()
        primary.heading.forgetEvidence()
        search.close()
    }

    /// Ends the search without a result; the next fix starts another search.
    mutating func close() { search.close() }

    // MARK: Snapshots

    mutating func keepSnapshot() {
        let place = past.last?.search.place ?? 0
        search.place = hasChanged ? (place + 1) % FilterTimeline.snapshotCount : place
        past.append(Moment(search: search, sinceUpdate: sinceUpdate))
        if isOpen {
            keepMembers()
        } else if !members.isEmpty {
            forgetMembersIfOld()
        }
    }

    private mutating func keepMembers() {
        guard hasChanged else { return }
        hasChanged = false
        for k in members.indices where search.isAlive(k) {
            pastMembers[search.place * Self.size + k].keep(&members[k])
        }
    }

    private mutating func forgetMembersIfOld() {
        for index in 0..<past.count where past[index].search.isOpen { return }
        members = []
        pastMembers = []
    }

    /// Removes the newest snapshot. Unless `restore` follows, the members have changed since the snapshot before it.
    mutating func removeNewestSnapshot() {
        past.removeLast()
        hasChanged = true
    }

    mutating func removeOldestSnapshot() { past.removeFirst() }

    /// Restores the newest snapshot.
    mutating func restore() {
        guard let last = past.last else { return }
        (search, sinceUpdate) = (last.search, last.sinceUpdate)
        hasChanged = false
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) {
            pastMembers[search.place * Self.size + k].restore(&members[k])
        }
    }

    /// Converts all members after the calibration has changed, and drops the snapshots.
    mutating func follow(_ change: CorrectionChange, _ settings: EstimatorSettings) {
        forMembers { $0.follow(change, settings) }
        past.removeAll()
    }

    /// Closes the bank, and drops its snapshots.
    mutating func restart() {
        search.close()
        past.removeAll()
    }
}

extension HypothesisBank: CheckedState {
    package mutating func settle() -> Bool {
        // An open search requires members, even if a late measurement can only reopen it from a snapshot.
        var isAnyOpen = search.isOpen
        for index in 0..<past.count where past[index].search.isOpen { isAnyOpen = true }
        return past.limit(to: FilterTimeline.snapshotCount)
            && (members.isEmpty ? !isAnyOpen : members.count == Self.size)
            && pastMembers.count == members.count * FilterTimeline.snapshotCount
    }

    var pastCount: Int { past.count }
}
