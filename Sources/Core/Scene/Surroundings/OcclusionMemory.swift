import Geometry

/// Records which placements are behind the terrain or a building, from scene to scene.
///
/// In each scene, a limited number of lines of sight are tested: those of new placements first, then the others in
/// turn. A line that nearly grazes the ground, a roof or a corner keeps its previous result.
struct OcclusionMemory {
    /// Result of the last test, by the id of the placement; nil if the test was inconclusive.
    private var isHidden: [String: Bool?] = [:]
    /// Index at which the next tests begin.
    private var next = 0

    static let maximumLineCount = 16

    /// Sets whether each placement is hidden. Leaves placements unchanged if neither terrain nor buildings are known.
    ///
    /// - Parameter placements: placements of the whole scene, in the same order in each scene.
    mutating func update(_ placements: inout [Placement], in view: WearerView) {
        guard view.surroundings.isKnown, let viewpoint = view.viewpoint, !placements.isEmpty else {
            isHidden.removeAll()
            return
        }
        var left = Self.maximumLineCount
        for index in placements.indices where left > 0 && isHidden[placements[index].id] == nil {
            left -= test(placements[index], viewpoint, view)
        }
        for _ in placements.indices where left > 0 {
            next = (next + 1) % placements.count
            left -= test(placements[next], viewpoint, view)
        }
        for index in placements.indices where placements[index].lock == .scene {
            placements[index].isOccluded = isHidden[placements[index].id] ?? nil
        }
        if isHidden.count > 2 * placements.count + Self.maximumLineCount { forget(except: placements) }
    }

    /// Returns the number of lines of sight tested.
    private mutating func test(_ placement: Placement, _ viewpoint: Viewpoint, _ view: WearerView) -> Int {
        guard placement.lock == .scene else { return 0 }
        let sight = LineOfSight(
            viewpoint, to: placement.position, view.surroundings, eyeHeight: view.settings.eyeHeightMetres)
        let wasHidden = (isHidden[placement.id] ?? nil) ?? false
        isHidden.updateValue(sight?.isHidden(wasHidden: wasHidden), forKey: placement.id)
        return 1
    }

    private mutating func forget(except placements: [Placement]) {
        let present = Set(placements.map(\.id))
        isHidden = isHidden.filter { present.contains($0.key) }
    }
}
