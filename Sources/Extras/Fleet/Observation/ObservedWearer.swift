import Geometry
import WaymarkInterface

/// What a reader has found of one wearer: the newest message of each topic, and the way of the last minutes.
package struct ObservedWearer: Hashable, Sendable {
    package let identifier: String
    package internal(set) var state: ObservedState?
    package internal(set) var pose: ObservedPose?
    package internal(set) var event: ObservedEvent?
    package internal(set) var health: ObservedHealth?
    /// When a message of the wearer came last, by the reader's clock. A state that the broker had kept does not count:
    /// it may be of any age.
    package internal(set) var lastArrival: UTCTime?
    /// Former positions, the oldest first, up to the newest pose.
    package private(set) var way: [GeodeticPosition] = []

    /// Number of former positions that are kept, and the least distance between two of them. Unit: metres.
    private static let (wayPoints, wayStep) = (48, 5.0)

    init(identifier: String) { self.identifier = identifier }

    /// Whether the wearer is connected to the broker, as far as is known: one whose state has not come, but whose poses
    /// have, is.
    package var isOnline: Bool { state?.isOnline ?? (lastArrival != nil) }

    /// When the wearer was heard last: the last message that came, else the time in the state that the broker had kept.
    ///
    /// - Parameter now: by the reader's clock; the clock of a board may be ahead of it.
    package func lastSeen(now: UTCTime) -> UTCTime? {
        lastArrival ?? state?.time.map { min($0, now) }
    }

    /// Takes a pose, unless it had come before. One of a lower number is new where its time is: the board has begun
    /// with a new queue.
    mutating func take(_ new: ObservedPose) {
        if let pose, new.sequence <= pose.sequence, new.time <= pose.time { return }
        pose = new
        guard way.last.map({ Geodesic(from: $0, to: new.position).distance >= Self.wayStep }) ?? true else { return }
        if way.count == Self.wayPoints { way.removeFirst() }
        way.append(new.position)
    }

    /// Takes an event, unless it had come before.
    mutating func take(_ new: ObservedEvent) {
        if let event, new.sequence <= event.sequence, new.time <= event.time { return }
        event = new
    }
}
