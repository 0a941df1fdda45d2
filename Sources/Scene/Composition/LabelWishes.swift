import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// What is to be labelled in a scene, and the marks that labels are to keep clear of besides.
struct LabelWishes {
    /// In the order of the placements, and the index of each among them.
    private(set) var requests: [LabelRequest] = []
    private(set) var indices: [Int] = []
    /// Of what has no label.
    private(set) var marks: [LabelMark] = []
    /// How many placements there are.
    let placements: Int

    /// Frame of `eye`: scene.
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

    /// Nil for what lies on the ground and is many.
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
    /// The angle under which it is seen when its pulse is at its largest. Unit: radians.
    var largestAngle: Double { min(.pi, size.angle * max(1, pulse?.scale ?? 1)) }
}
