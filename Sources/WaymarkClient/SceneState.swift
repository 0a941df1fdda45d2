/// The whole scene, kept up by the messages of one subscription.
public struct SceneState: Equatable, Sendable {
    /// Why a message does not continue what is known.
    public enum Break: Error, Equatable, Sendable {
        /// The message is a change, and the one before it is missing.
        case revision(known: Int?, received: Int)
    }

    /// The newest message: status, time and events of it; `changed` and `removed` are worked in.
    public private(set) var newest: Scene?
    /// By id.
    public private(set) var placements: [String: Placement] = [:]

    public init() {}

    /// Takes the next message.
    public mutating func apply(_ scene: Scene) throws(Break) {
        if scene.snapshot {
            placements.removeAll()
        } else if scene.revision != newest.map({ $0.revision + 1 }) {
            throw .revision(known: newest?.revision, received: scene.revision)
        }
        for id in scene.removed { placements[id] = nil }
        for placement in scene.changed { placements[placement.id] = placement }
        newest = scene
    }

    /// In the order in which they are drawn.
    public var drawn: [Placement] { placements.values.sorted { ($0.order, $0.id) < ($1.order, $1.id) } }

    /// The nearest first.
    public var nearest: [Placement] { placements.values.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) } }
}
