import Geometry
import Model

/// Registry of the anchors of all clients, in order of their identifiers.
///
/// An anchor that is fixed to the scene belongs to one generation of the scene. When the next generation begins, the
/// anchor is removed if its own generation never had a known alignment. Otherwise it is transferred through geodetic
/// coordinates as soon as the new generation has an alignment. Anchors that are fixed to a route are removed with the
/// route.
public struct AnchorRegistry: Sendable {
    struct Entry: Sendable {
        var anchor: Anchor
        /// Connection that last placed the anchor; nil for a persistent anchor that was restored.
        var owner: UInt64?
        /// Generation of the scene in which the anchor was placed. It matters only for anchors fixed to the scene.
        var generation: UInt32?
        /// Held position; nil for an anchor that follows the map, and until an anchor has been laid out.
        var hold: AnchorHold?
    }

    private(set) var entries: [Entry] = []
    private var generation: UInt32?
    /// Maps of the current generation, and of earlier generations from which anchors still have to be transferred.
    private var maps: [(generation: UInt32, map: SceneMap)] = []
    private var isCarrying = false
    private var generated = 0
    /// Held anchors that were moved, each with the distance. Unit: metres.
    private var moved: [(id: String, distance: Double)] = []

    package init() {}

    /// Anchors in order of their identifiers.
    public var anchors: [Anchor] { entries.map(\.anchor) }

    package var isEmpty: Bool { entries.isEmpty }

    /// Anchor with an identifier; nil if there is no such anchor.
    public subscript(id: String) -> Anchor? {
        existing(id).map { entries[$0].anchor }
    }

    /// Returns an unused identifier.
    public mutating func freshID() -> String {
        repeat { generated += 1 } while self["\(generated)"] != nil
        return "\(generated)"
    }

    /// Adds an anchor. It replaces any client's anchor with the same identifier.
    ///
    /// - Parameters:
    ///   - owner: connection that places the anchor; nil for a persistent anchor that is restored.
    ///   - routeLength: length of the current route in metres; nil without a route.
    public mutating func place(
        _ anchor: Anchor, owner: UInt64?, routeLength: Double?, settings: SceneSettings.Anchors
    ) throws(AnchorProblem) {
        try anchor.check(routeLength: routeLength)
        if case .scene = anchor.site, generation == nil { throw .noScene }
        let replaced = existing(anchor.id)
        let others = entries.indices.lazy.filter { $0 != replaced }
        guard others.count < settings.maximumCount else {
            throw .tooMany(limit: "anchors", maximum: settings.maximumCount)
        }
        if let owner, others.count(where: { entries[$0].owner == owner }) >= settings.maximumCountPerClient {
            throw .tooMany(limit: "anchorsOfClient", maximum: settings.maximumCountPerClient)
        }
        let entry = Entry(anchor: anchor, owner: owner, generation: generation)
        if let replaced { entries[replaced] = entry } else { entries.insert(entry, at: index(of: anchor.id)) }
    }

    /// Removes an anchor; returns nil if there is no anchor with the identifier.
    @discardableResult
    public mutating func remove(id: String) -> Anchor? {
        existing(id).map { entries.remove(at: $0).anchor }
    }

    /// Removes the anchors that last as long as the connection `owner`, which has been closed. Its other anchors stay
    /// and have no owner.
    public mutating func disconnect(_ owner: UInt64) {
        entries.removeAll { $0.owner == owner && $0.anchor.lifetime == .connection }
        for index in entries.indices where entries[index].owner == owner { entries[index].owner = nil }
    }

    /// Removes the anchors fixed to the previous route.
    public mutating func routeChanged() {
        entries.removeAll { entry in
            if case .route = entry.anchor.site { true } else { false }
        }
    }

    /// Enters a generation of the scene, and transfers anchors that are fixed to an earlier one.
    ///
    /// - Parameter map: transformation between scene and earth; nil while it is unknown.
    /// - Returns: identifiers of anchors that had to be removed.
    public mutating func enter(generation: UInt32, map: SceneMap?) -> [String] {
        let isNew = self.generation != generation
        self.generation = generation
        if let map { remember(map, of: generation) }
        guard isNew || isCarrying else { return [] }
        var lost: [String] = []
        isCarrying = false
        for index in entries.indices {
            guard case .scene(let point) = entries[index].anchor.site, entries[index].generation != generation else {
                continue
            }
            guard let old = maps.first(where: { $0.generation == entries[index].generation })?.map,
                let position = old.position(ofScene: point)
            else {
                lost.append(entries[index].anchor.id)
                continue
            }
            // The anchor waits until the new scene has an alignment with the earth.
            guard let map else {
                isCarrying = true
                continue
            }
            entries[index].anchor.site = .scene(map.pointInScene(of: position))
            entries[index].generation = generation
        }
        for id in lost { remove(id: id) }
        forgetMaps()
        return lost
    }

    /// Returns the point at which an anchor fixed to the earth is shown. `point` is where the map puts the anchor.
    /// Frame: scene. Unit: metres.
    ///
    /// When a held anchor is first laid out in a generation of the scene, this causes no event.
    mutating func layOut(
        _ index: Int, at point: Vector3, uncertainty: AnchorUncertainty, sigmas: Double, at time: BootTime
    )
        -> Vector3
    {
        guard entries[index].anchor.policy == .hold else { return point }
        guard var hold = entries[index].hold, hold.generation == generation else {
            entries[index].hold = AnchorHold(at: point, generation: generation, time: time)
            return point
        }
        if let distance = hold.update(to: point, uncertainty: uncertainty, sigmas: sigmas, at: time) {
            moved.append((entries[index].anchor.id, distance))
        }
        entries[index].hold = hold
        return hold.point
    }

    /// Returns the held anchors that were moved since the last call, each with the distance. Unit: metres.
    mutating func takeMoved() -> [(id: String, distance: Double)] {
        defer { moved.removeAll() }
        return moved
    }

    /// Whether an entry has a position in the current scene.
    func isLaidOut(_ entry: Entry) -> Bool {
        if case .scene = entry.anchor.site { entry.generation == generation } else { true }
    }

    private mutating func remember(_ map: SceneMap, of generation: UInt32) {
        if let index = maps.firstIndex(where: { $0.generation == generation }) {
            maps[index].map = map
        } else {
            maps.append((generation, map))
        }
    }

    /// Discards the maps of earlier generations from which no anchor has to be transferred.
    private mutating func forgetMaps() {
        let (entries, present) = (entries, generation)
        maps.removeAll { known in
            known.generation != present && !entries.contains { $0.generation == known.generation }
        }
    }

    /// Returns the index of the anchor with the identifier, or the index at which it would be inserted.
    private func index(of id: String) -> Int { entries.partitionPoint { $0.anchor.id < id } }

    private func existing(_ id: String) -> Int? {
        let index = index(of: id)
        return index < entries.count && entries[index].anchor.id == id ? index : nil
    }
}
