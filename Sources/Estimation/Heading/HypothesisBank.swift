import Geometry
import Measurements

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
    private var past: Ring<HeadingSearch>
    /// The members at each open snapshot; the place of a snapshot is that of its search.
    private var pastMembers: [ErrorStateKalmanFilter] = []
    private let snapshotCount: Int

    package init(snapshotCount: Int) {
        self.snapshotCount = snapshotCount
        past = Ring(capacity: snapshotCount)
    }

    package var isOpen: Bool { search.isOpen }

    // MARK: The same measurements as the carrier's

    mutating func propagate(to sample: InertialSample) { forMembers { $0.propagate(to: sample) } }

    mutating func apply(_ fix: LocalFix) { forMembers { $0.apply(fix) } }

    mutating func apply(_ sample: MagneticSample) { forMembers { $0.apply(sample) } }

    mutating func apply(_ sample: PressureHeight) { forMembers { $0.apply(sample) } }

    mutating func finish(_ sample: InertialSample) { forMembers { $0.finish(sample) } }

    mutating func tick() { forMembers { $0.tick() } }

    @inline(__always)
    private mutating func forMembers(_ act: (inout ErrorStateKalmanFilter) -> Void) {
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) { act(&members[k]) }
    }

    /// Follows a new origin of ENU, which lies at `-offset` in the old one, now and in the past.
    mutating func shift(by offset: Vector3) {
        for k in members.indices { members[k].shift(by: offset) }
        for k in pastMembers.indices { pastMembers[k].shift(by: offset) }
    }

    // MARK: The search

    /// Weighs the hypotheses after a fix; opens the bank, or closes it with the winner as the carrier.
    mutating func judge(_ carrier: inout ErrorStateKalmanFilter) {
        if carrier.heading.isRefuted { carrier.loseHeading() }
        guard !carrier.heading.isSettled else { return }
        guard isOpen, search.carrierIsHypothesis == carrier.heading.isKnown else { return open(around: &carrier) }
        weigh(carrier)
        guard search.isDecided else { return }
        settle(&carrier)
    }

    private mutating func open(around carrier: inout ErrorStateKalmanFilter) {
        carrier.heading.forgetEvidence()
        if members.isEmpty {
            members = Array(repeating: carrier, count: Self.size)
            pastMembers = Array(repeating: carrier, count: Self.size * snapshotCount)
        }
        search.open(around: carrier)
        let spacing = 2 * Double.pi / Double(Self.size)
        for k in members.indices where search.isAlive(k) {
            members[k] = carrier
            members[k].suppose(yaw: Double(k) * spacing, deviation: spacing / 2)
        }
    }

    private mutating func weigh(_ carrier: ErrorStateKalmanFilter) {
        for k in members.indices where search.isAlive(k) { search.note(k, members[k], against: carrier) }
        search.note(carrier: carrier)
        search.conclude()
    }

    private mutating func settle(_ carrier: inout ErrorStateKalmanFilter) {
        if let winner = search.winner {
            carrier = members[winner]
            carrier.widenYaw(atLeast: search.variance)
        }
        carrier.heading.settle()
        carrier.heading.forgetEvidence()
        search.close()
    }

    /// Ends the search without an answer; the next fix begins another.
    mutating func close() { search.close() }

    // MARK: Snapshots

    mutating func keepSnapshot() {
        search.place = past.last.map { ($0.place + 1) % snapshotCount } ?? 0
        past.append(search)
        if isOpen {
            for k in members.indices where search.isAlive(k) {
                pastMembers[search.place * Self.size + k] = members[k]
            }
        } else if !members.isEmpty {
            forgetMembersIfOld()
        }
    }

    private mutating func forgetMembersIfOld() {
        for index in 0..<past.count where past[index].isOpen { return }
        members = []
        pastMembers = []
    }

    mutating func removeNewestSnapshot() { past.removeLast() }

    mutating func removeOldestSnapshot() { past.removeFirst() }

    /// Goes back to the newest snapshot.
    mutating func restore() {
        guard let last = past.last else { return }
        search = last
        guard isOpen else { return }
        for k in members.indices where search.isAlive(k) { members[k] = pastMembers[search.place * Self.size + k] }
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
