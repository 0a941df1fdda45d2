import Geometry
import WaymarkInterface

/// Data of one wearer: the newest message of each topic, and the path of the last minutes.
package struct ObservedWearer: Hashable, Sendable {
    package let identifier: String
    package internal(set) var state: ObservedState?
    package internal(set) var pose: ObservedPose?
    package internal(set) var event: ObservedEvent?
    package internal(set) var health: ObservedHealth?
    /// Arrival of the wearer's last message, by the reader's clock. A state that the broker has retained does not
    /// count, because it may be of any age.
    package internal(set) var lastArrival: UTCTime?
    /// Earlier positions, oldest first, up to the newest pose.
    package private(set) var track: [GeodeticPosition] = []

    /// Maximum number of earlier positions, and the minimum distance between two of them. Unit: metres.
    private static let (trackPointCount, trackStep) = (48, 5.0)

    init(identifier: String) { self.identifier = identifier }

    /// Whether the wearer is connected to the broker; without a state, a wearer whose poses arrive counts as connected.
    package var isOnline: Bool { state?.isOnline ?? (lastArrival != nil) }

    /// Returns when the wearer's last message arrived, or otherwise the time in the retained state.
    ///
    /// - Parameter now: current time by the reader's clock. It limits the result, because the clock of a board may be
    ///   ahead of the reader's.
    package func lastSeen(now: UTCTime) -> UTCTime? {
        lastArrival ?? state?.time.map { min($0, now) }
    }

    /// Adopts a pose, unless it was received before. A pose with a lower number but a later time is new, because the
    /// board has then started a new queue.
    mutating func take(_ new: ObservedPose) {
        if let pose, new.sequence <= pose.sequence, new.time <= pose.time { return }
        pose = new
        guard track.last.map({ Geodesic(from: $0, to: new.position).distance >= Self.trackStep }) ?? true else {
            return
        }
        if track.count == Self.trackPointCount { track.removeFirst() }
        track.append(new.position)
    }

    /// Adopts an event, unless it was received before.
    mutating func take(_ new: ObservedEvent) {
        if let event, new.sequence <= event.sequence, new.time <= event.time { return }
        event = new
    }
}
