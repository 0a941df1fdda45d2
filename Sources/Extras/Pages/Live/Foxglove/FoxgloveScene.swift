import Recording
import WaymarkInterface

/// The placements of the daemon's scene, and the foxglove.SceneUpdate messages that bring a client's 3D view up to
/// date.
///
/// Each placement is an entity with the placement's id. Arrows stay at their published positions; only clients of the
/// scene itself move them.
package struct FoxgloveScene {
    package private(set) var placements: [String: SceneInterface.Placement] = [:]
    /// Generation of the scene frame; nil until the first message arrives.
    package private(set) var generation: Int?
    /// Time of the newest message. Unit: ns of the server's clock.
    private var time: UInt64 = 0
    /// Latest time of any sent entity. Unit: ns of the server's clock.
    private var latest: UInt64 = 0

    /// Whether any message from the daemon has been sent.
    package var wasSent: Bool { latest > 0 }

    private let encoding: MessageEncoding

    package init(_ encoding: MessageEncoding = .protobuf) { self.encoding = encoding }

    /// Kinds of deletion, by the numbers of the schema.
    private enum Deletion: Int64 {
        case matchingID = 0
        case all = 1
    }

    /// Processes a message from the daemon. Returns the update for clients that have all earlier updates.
    ///
    /// - Parameter time: time of the message. Unit: ns of the server's clock.
    package mutating func take(_ scene: SceneInterface.Scene, at time: UInt64) -> [UInt8] {
        self.time = time
        generation = scene.generation
        defer { latest = max(latest, time) }
        if scene.snapshot { placements = [:] }
        for id in scene.removed { placements[id] = nil }
        for placement in scene.changed { placements[placement.id] = placement }
        guard !scene.snapshot else { return snapshot }
        return update(deleting: scene.removed, adding: scene.changed.sorted { $0.order < $1.order })
    }

    /// Removes all placements. Returns the update that removes them from clients' views.
    package mutating func clear() -> [UInt8] {
        placements = [:]
        generation = nil
        return snapshot
    }

    /// Update for clients that lack earlier updates. It replaces all placements.
    package var snapshot: [UInt8] { update(deleting: nil, adding: placements.values.sorted { $0.order < $1.order }) }

    /// - Parameter removed: ids of removed placements; nil to remove all.
    private func update(deleting removed: [String]?, adding added: [SceneInterface.Placement]) -> [UInt8] {
        var writer = MessageWriter(encoding)
        writer.write(.sceneUpdate) { writer in
            writer.list("deletions", removed ?? [""]) { write(removed == nil ? .all : .matchingID, $0, &$1) }
            writer.list("entities", added) { FoxgloveEntity($0).write(at: time, into: &$1) }
        }
        return writer.bytes
    }

    /// Writes a deletion, which affects only older entities. A restarted daemon may have an earlier time, so that
    /// deletions use the latest time of all sent entities.
    private func write(_ kind: Deletion, _ id: String, _ writer: inout MessageWriter) {
        writer.member(
            "timestamp", PoseInterface.Time(nanoseconds: Int64(clamping: max(time, latest &+ 1))))
        writer.member("type", kind.rawValue)
        writer.member("id", id)
    }
}
