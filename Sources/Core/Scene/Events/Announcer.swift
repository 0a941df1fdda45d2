import Geometry
import Model

/// Selects what is announced to the wearer, and when: the destination of a route, its turns, arrival, and leaving the
/// route.
///
/// Each subject is announced once per approach, even if the position is noisy. There is a least interval between two
/// announcements, unless both are about the same subject. A delayed announcement is made with up-to-date content, or
/// dropped if it has become obsolete. Left and right are announced only while the yaw is accurate, because otherwise
/// the announcement would contradict the arrows in view.
public struct Announcer: Sendable {
    private var approach = TurnApproach()
    private var startAnnounced = false
    private var announcedDestinationGrade: Int?
    private var announcedState = RouteProgress.State.following
    private var last: (time: BootTime, subject: Subject)?

    private enum Subject: Hashable {
        case start
        case state
        case turn(Int)
        case destination
    }

    private struct Candidate {
        var subject: Subject
        var announcement: Announcement
        var near: TurnApproach.Near?
    }

    /// Distance along the route up to which the first position counts as the start of the route. Unit: metres.
    private static let startStretch = 30.0

    package init() {}

    /// Returns the announcement to make now; nil if there is none.
    ///
    /// - Parameter yawStandardDeviation: standard deviation of the yaw in radians; nil if unknown.
    public mutating func update(
        progress: RouteProgress?, yawStandardDeviation: Double?, at time: BootTime,
        settings: SceneSettings.Announcements
    ) -> Announcement? {
        guard let progress else {
            self = Announcer()
            return nil
        }
        if !approach.isOf(progress) {
            self = Announcer()
            approach.begin(progress)
        }
        guard progress.alongRoute != nil else { return nil }
        let yawLimit = Angle.radians(degrees: settings.sideYawDegrees)
        let announcesSide = yawStandardDeviation.map { $0 <= yawLimit } ?? false
        let candidates = candidates(progress, announcesSide: announcesSide, settings: settings)
        guard let chosen = candidates.first(where: { mayAnnounce($0, at: time, settings: settings) }) else {
            return nil
        }
        remember(chosen, at: time)
        return chosen.announcement
    }

    /// Returns the candidates for an announcement, most urgent first.
    private mutating func candidates(
        _ progress: RouteProgress, announcesSide: Bool, settings: SceneSettings.Announcements
    ) -> [Candidate] {
        // A wearer who has not been on the route yet can neither leave it nor return to it.
        if !progress.hasBegun { return startAnnounced ? [] : [start(progress, turn: nil)] }
        if progress.state != announcedState { return [state(progress, announcesSide: announcesSide)] }
        guard progress.state == .following else { return [] }
        var candidates: [Candidate] = []
        let turn = turn(progress, announcesSide: announcesSide, settings: settings)
        if startAnnounced {
            if let turn { candidates.append(turn) }
        } else {
            candidates.append(start(progress, turn: turn))
        }
        let destination = destination(progress, announcesSide: announcesSide, settings: settings)
        if let destination { candidates.append(destination) }
        return candidates
    }

    private func state(_ progress: RouteProgress, announcesSide: Bool) -> Candidate {
        let kind: Announcement.Kind =
            switch progress.state {
            case .arrived: .arrived
            case .offRoute: .offRoute
            case .following: .backOnRoute
            }
        return Candidate(
            subject: kind == .arrived ? .destination : .state,
            announcement: Announcement(
                kind: kind, routeID: progress.route.id, name: progress.route.name,
                side: kind == .arrived && announcesSide ? progress.plan.destinationSide : nil))
    }

    /// - Parameter turn: turn that is already near. It is announced together with the start, and not again at the same
    ///   distance.
    private func start(_ progress: RouteProgress, turn: Candidate?) -> Candidate {
        let isStart = !progress.hasBegun || (progress.alongRoute ?? 0) <= Self.startStretch
        var announcement =
            turn?.announcement
            ?? Announcement(kind: .start, routeID: progress.route.id, name: progress.route.name)
        announcement.kind = isStart ? .start : .resumed
        announcement.distance = progress.remaining
        guard let near = turn?.near else { return Candidate(subject: .start, announcement: announcement) }
        announcement.turnDistance = near.distance
        return Candidate(subject: .turn(near.index), announcement: announcement, near: near)
    }

    private mutating func turn(
        _ progress: RouteProgress, announcesSide: Bool, settings: SceneSettings.Announcements
    ) -> Candidate? {
        guard let near = approach.next(progress, settings: settings), near.grade > near.announcedGrade ?? -1 else {
            return nil
        }
        return Candidate(
            subject: .turn(near.index),
            announcement: Announcement(
                kind: .turn, routeID: progress.route.id, name: progress.route.name, distance: near.distance,
                turn: near.turn.kind, side: announcesSide ? near.turn.side : nil,
                instruction: announcesSide ? near.turn.text.flatMap { $0.isEmpty ? nil : $0 } : nil, grade: near.grade,
                isNow: near.grade == settings.distancesMetres.count - 1),
            near: near)
    }

    /// Returns the announcement of the destination after the last turn. There is none at the nearest announcement
    /// distance, because the arrival is announced instead.
    private mutating func destination(
        _ progress: RouteProgress, announcesSide: Bool, settings: SceneSettings.Announcements
    ) -> Candidate? {
        guard TurnApproach.nextIndex(progress) == nil, let remaining = progress.remaining else { return nil }
        if TurnApproach.isAnew(remaining, settings: settings) { announcedDestinationGrade = nil }
        guard let grade = TurnApproach.grade(remaining, settings: settings),
            grade > announcedDestinationGrade ?? -1, grade < settings.distancesMetres.count - 1
        else { return nil }
        return Candidate(
            subject: .destination,
            announcement: Announcement(
                kind: .destination, routeID: progress.route.id, name: progress.route.name, distance: remaining,
                side: announcesSide ? progress.plan.destinationSide : nil, grade: grade))
    }

    private func mayAnnounce(
        _ candidate: Candidate, at time: BootTime, settings: SceneSettings.Announcements
    ) -> Bool {
        guard let last, time.seconds(since: last.time) < settings.minimumIntervalSeconds else { return true }
        // The interval also applies between two changes of state, because the second one is the opposite of the first.
        return candidate.subject == last.subject && candidate.subject != .state
    }

    private mutating func remember(_ chosen: Candidate, at time: BootTime) {
        last = (time, chosen.subject)
        switch chosen.announcement.kind {
        case .start, .resumed:
            startAnnounced = true
            if let near = chosen.near { approach.markAnnounced(near) }
        case .turn: if let near = chosen.near { approach.markAnnounced(near) }
        case .destination: announcedDestinationGrade = chosen.announcement.grade
        case .arrived: (announcedState, startAnnounced) = (.arrived, true)
        case .offRoute: announcedState = .offRoute
        case .backOnRoute: announcedState = .following
        }
    }
}
