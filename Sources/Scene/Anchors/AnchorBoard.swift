import Geometry
import Model

/// The anchors of all clients, in the order of their ids.
///
/// What is fixed to the scene belongs to one generation of it. When another begins, it is carried over through the earth if
/// both are known there, and dropped otherwise. What is fixed to the route goes with it.
public struct AnchorBoard: Sendable {
    struct Entry: Sendable {
        var anchor: Anchor
        /// The connection that placed it last; nil for those that were kept.
        var owner: UInt64?
        /// Of the scene in which it was placed; means something for what is fixed to the scene only.
        var generation: UInt32?
        /// Where it is held; nil for what follows the map, and until it has been laid out.
        var hold: AnchorHold?
    }

    private(set) var entries: [Entry] = []
    private var generation: UInt32?
    /// Of the present generation, and of those from which something is still to be carried over.
    private var maps: [(generation: UInt32, map: SceneMap)] = []
    private var isCarrying = false
    private var generated = 0
    /// Those that were held, and have been laid out anew: how far from where they were. Unit: metres.
    private var moved: [(id: String, distance: Double)] = []

    public init() {}

    public var anchors: [Anchor] { entries.map(\.anchor) }

    public var isEmpty: Bool { entries.isEmpty }

    public subscript(id: String) -> Anchor? {
        let index = index(of: id)
        return index < entries.count && entries[index].anchor.id == id ? entries[index].anchor : nil
    }

    /// An id that no anchor has.
    public mutating func freshID() -> String {
        repeat { generated += 1 } while self["\(generated)"] != nil
        return "\(generated)"
    }

    /// Adds an anchor; one with the same id is replaced, whoever placed it.
    ///
    /// - Parameters:
    ///   - owner: the connection it comes from; nil for one that was kept.
    ///   - routeLength: of the present route, metres; nil without one.
    public mutating func place(
        _ anchor: Anchor, owner: UInt64?, routeLength: Double?, settings: SceneSettings.Anchors
    ) throws(AnchorProblem) {
        try anchor.check(routeLength: routeLength)
        if case .scene = anchor.site, generation == nil { throw .noScene }
        let index = index(of: anchor.id)
        let replaces = index < entries.count && entries[index].anchor.id == anchor.id
        let others = entries.indices.lazy.filter { !(replaces && $0 == index) }
        guard others.count < settings.most else { throw .tooMany(limit: "anchors", maximum: settings.most) }
        if let owner, others.count(where: { entries[$0].owner == owner }) >= settings.mostPerClient {
            throw .tooMany(limit: "anchorsOfClient", maximum: settings.mostPerClient)
        }
        let entry = Entry(anchor: anchor, owner: owner, generation: generation)
        if replaces { entries[index] = entry } else { entries.insert(entry, at: index) }
    }

    /// Takes an anchor away; nil when there is none of the id.
    @discardableResult
    public mutating func remove(id: String) -> Anchor? {
        let index = index(of: id)
        guard index < entries.count, entries[index].anchor.id == id else { return nil }
        return entries.remove(at: index).anchor
    }

    /// A connection has closed: what was to last as long goes, and the rest no longer counts as its own.
    public mutating func disconnect(_ owner: UInt64) {
        entries.removeAll { $0.owner == owner && $0.anchor.lifetime == .connection }
        for index in entries.indices where entries[index].owner == owner { entries[index].owner = nil }
    }

    /// Another route, or none.
    public mutating func routeChanged() {
        entries.removeAll { entry in
            if case .route = entry.anchor.site { true } else { false }
        }
    }

    /// The scene as it is now; carries what is fixed to an earlier one over.
    ///
    /// - Parameter map: of the scene frame against the earth; nil while that is not known.
    /// - Returns: the ids of anchors that had to be dropped.
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
            // It waits until the new frame is known on the earth.
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

    /// Where an anchor on the earth is shown whose place by the map is `point`.
    ///
    /// One that holds is laid out without an event for the first time, and in each generation of the scene anew.
    mutating func layOut(_ index: Int, at point: Vector3, doubt: AnchorDoubt, sigmas: Double, at time: BootTime)
        -> Vector3
    {
        guard entries[index].anchor.policy == .hold else { return point }
        guard var hold = entries[index].hold, hold.generation == generation else {
            entries[index].hold = AnchorHold(at: point, generation: generation, time: time)
            return point
        }
        if let distance = hold.update(to: point, doubt: doubt, sigmas: sigmas, at: time) {
            moved.append((entries[index].anchor.id, distance))
        }
        entries[index].hold = hold
        return hold.point
    }

    /// Those that were held and have been laid out anew since the last call, and how far away. Unit: metres.
    mutating func takeMoved() -> [(id: String, distance: Double)] {
        defer { moved.removeAll() }
        return moved
    }

    /// Whether an entry means a place in the present scene, or anything else than one.
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

    /// Maps of scenes that are over serve only what is still to be carried from there.
    private mutating func forgetMaps() {
        let (entries, present) = (entries, generation)
        maps.removeAll { known in
            known.generation != present && !entries.contains { $0.generation == known.generation }
        }
    }

    /// Where an anchor of the id is, or would be.
    private func index(of id: String) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].anchor.id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
