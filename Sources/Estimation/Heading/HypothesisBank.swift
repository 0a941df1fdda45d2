import Geometry
import Model

/// Whole filters that differ in what they hold for north, side by side until the fixes of a moving body have told which
/// of them is right.
///
/// The filter that is published, the carrier, runs on beside them. With a yaw of its own it is one of the hypotheses;
/// without one it only considers its unknown yaw. Nothing is decided by the passing of time: a body at rest or at a
/// constant velocity says nothing of north.
///
/// Source: Alspach, Sorenson, "Nonlinear Bayesian estimation using Gaussian sum approximations", IEEE Trans. Automatic
/// Control 17(4), 1972.
package struct HypothesisBank: Sendable {
    package static let size = 8
    /// Empty while the bank has never been open, or not for as long as the snapshots reach back.
    private var members: [ErrorStateKalmanFilter] = []
    package private(set) var search = HeadingSearch()
    /// In step with the snapshots of the timeline.
    private var past: Ring<Moment>
    /// The members at each open snapshot; the place of a snapshot is that of its search.
    private var pastMembers: [HypothesisRecord] = []
    private let snapshotCount: Int
    private var felt = FeltMotion()
    /// Since the members were last kept.
    private var hasChanged = true

    /// All but the members.
    private struct Moment: Sendable {
        var search: HeadingSearch
        var felt: FeltMotion
    }

    package init(snapshotCount: Int) {
        self.snapshotCount = snapshotCount
        past = Ring(capacity: snapshotCount)
    }

    package var isOpen: Bool { search.isOpen }

    // MARK: The same measurements as the carrier's

    /// Sums up a sample that the carrier has just been carried to.
    @inline(__always)
    mutating func add(_ sample: InertialSample, _ increment: InertialIncrement, _ state: NavigationState) {
        guard isOpen else { return }
        felt.motion.add(sample, increment, state)
    }

    /// Notes the step that the carrier's gait has just shown, if it has.
    @inline(__always)
    mutating func noteStep(of carrier: borrowing ErrorStateKalmanFilter) {
        guard isOpen, carrier.steppedAt == carrier.state.time, let step = carrier.newestStep else { return }
        felt.note(step)
    }

    /// Whether it is time for the members to follow without a fix: before the next step, of which only one is noted, or
    /// when the assumptions about rest and place have waited for long enough.
    @inline(__always)
    var isDue: Bool {
        felt.motion.duration >= (felt.seen == nil ? Self.longestMotion : Self.longestMotionWithStep)
    }

    /// Units: seconds.
    private static let longestMotionWithStep = 0.395
    private static let longestMotion = 0.995

    /// Brings the members to where the carrier is.
    ///
    /// - Parameter carrier: is only read; as a value it would be copied.
    mutating func follow(_ carrier: inout ErrorStateKalmanFilter) {
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) { members[k].follow(&carrier, felt) }
        felt = FeltMotion()
        hasChanged = true
    }

    /// Of the carrier's instant; the members must have followed there.
    mutating func apply(_ fix: LocalFix, _ velocities: VelocityErrorMonitor.Verdict) {
        forMembers { $0.apply(fix, velocities) }
    }

    /// Notes a height, the newest of which the members take when they follow.
    @inline(__always)
    mutating func note(_ sample: PressureHeight) { felt.height = sample }

    @inline(__always)
    private mutating func forMembers(_ act: (inout ErrorStateKalmanFilter) -> Void) {
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) { act(&members[k]) }
        hasChanged = true
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one, now and in the past.
    mutating func shift(by offset: Vector3) {
        for k in members.indices { members[k].shift(by: offset) }
        guard let like = members.first else { return }
        for k in pastMembers.indices { pastMembers[k].shift(by: offset, like: like) }
    }

    // MARK: The search

    /// Weighs the hypotheses after a fix; opens the bank, or closes it with the winner as the carrier.
    mutating func judge(_ carrier: inout ErrorStateKalmanFilter) {
        if carrier.heading.isRefuted { carrier.loseHeading() }
        guard !carrier.heading.isSettled else { return }
        guard isOpen, search.carrierIsHypothesis == carrier.heading.isKnown else { return open(around: &carrier) }
        weigh(&carrier)
        guard search.isDecided else { return }
        settle(&carrier)
    }

    private mutating func open(around carrier: inout ErrorStateKalmanFilter) {
        carrier.heading.forgetEvidence()
        if members.isEmpty {
            members = Array(repeating: carrier, count: Self.size)
            pastMembers = Array(repeating: HypothesisRecord(&carrier), count: Self.size * snapshotCount)
        }
        search.open(around: carrier)
        felt = FeltMotion()
        hasChanged = true
        let spacing = 2 * Double.pi / Double(Self.size)
        for k in members.indices where search.isAlive(k) {
            members[k] = carrier
            members[k].suppose(yaw: Double(k) * spacing, deviation: spacing / 2)
        }
    }

    /// - Parameter carrier: is only read; as a value it would be copied.
    private mutating func weigh(_ carrier: inout ErrorStateKalmanFilter) {
        let north = carrier.state.rotationENUFromBody.inverse
        for k in members.indices where search.isAlive(k) { search.note(k, members[k].standing, against: north) }
        search.note(carrier: carrier.standing)
        search.conclude()
    }

    private mutating func settle(_ carrier: inout ErrorStateKalmanFilter) {
        if let winner = search.winner {
            let track = carrier.gait.walked.number
            carrier.adopt(members[winner])
            carrier.widenYaw(atLeast: search.variance)
            // Its steps were not quite those of the filter before it.
            carrier.gait.walked.restart(after: track)
        }
        carrier.heading.settle()
        carrier.heading.forgetEvidence()
        search.close()
    }

    /// Ends the search without an answer; the next fix begins another.
    mutating func close() { search.close() }

    // MARK: Snapshots

    mutating func keepSnapshot() {
        let place = past.last?.search.place ?? 0
        search.place = hasChanged ? (place + 1) % snapshotCount : place
        past.append(Moment(search: search, felt: felt))
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

    mutating func removeNewestSnapshot() { past.removeLast() }

    mutating func removeOldestSnapshot() { past.removeFirst() }

    /// Goes back to the newest snapshot.
    mutating func restore() {
        guard let last = past.last else { return }
        (search, felt) = (last.search, last.felt)
        hasChanged = false
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) {
            pastMembers[search.place * Self.size + k].restore(&members[k])
        }
    }

    /// Changes all members, and forgets the past.
    mutating func beginHistory(_ change: (inout ErrorStateKalmanFilter) -> Void) {
        forMembers(change)
        past.removeAll()
    }

    /// Nothing of the past counts.
    mutating func restart() {
        search.close()
        past.removeAll()
    }
}
