import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Placements to label in a scene, and the marks that labels must not cover.
struct LabelRequests {
    /// Requests in order of the placements, and the index of each placement.
    private(set) var requests: [LabelRequest] = []
    private(set) var indices: [Int] = []
    /// Marks of placements without a label.
    private(set) var marks: [LabelMark] = []
    /// Number of placements.
    let placements: Int

    /// Requests for the placements as seen from an eye. Frame of `eye`: scene. Unit: metres.
    init(_ placements: [Placement], eye: Vector3) {
        self.placements = placements.count
        requests.reserveCapacity(placements.count)
        indices.reserveCapacity(placements.count)
        for (index, placement) in placements.enumerated() where placement.lock == .scene {
            guard let priority = Self.priority(placement.kind, isFavorite: placement.isFavorite) else { continue }
            let line = placement.position - eye
            let level = hypot(line.x, line.z)
            let (azimuth, elevation) = (atan2(line.x, -line.z), atan2(line.y, level))
            let radius = placement.largestAngle / 2
            if placement.name.isEmpty {
                marks.append(LabelMark(azimuth: azimuth, elevation: elevation, radius: radius))
            } else {
                indices.append(index)
                requests.append(
                    LabelRequest(
                        id: placement.id, azimuth: azimuth, distance: level, priority: priority, elevation: elevation,
                        radius: radius))
            }
        }
    }

    /// Priority of a label; nil for the many small elements on the ground, which have none.
    private static func priority(_ kind: Placement.Kind, isFavorite: Bool) -> Int? {
        switch kind {
        case .arrow, .node: nil
        case .start: 0
        case .destination, .turn, .route: 3
        case .anchor: 2
        case .place, .cluster: isFavorite ? 1 : 0
        }
    }
}

extension Placement {
    /// Visual angle at the maximum of the pulse. Unit: radians.
    var largestAngle: Double { min(.pi, size.angle * max(1, pulse?.scale ?? 1)) }
}
