import Geometry
import Measurements

#if canImport(Glibc)
    import Glibc
#endif

/// The labels of a scene, stacked anew several times a second, and at once when one comes, goes or moves aside: a cluster
/// that takes in a place leaps to its new middle.
struct LabelLayer {
    private var layout: LabelLayout
    private var slots: [String: LabelSlot] = [:]
    /// What was stacked last, in the order of the placements.
    private var stacked: [LabelRequest] = []
    private var lastLayout: BootTime?
    /// Of a label's azimuth, after which all are stacked anew. Unit: radians.
    private let farthestMove: Double

    /// Between two layouts. Unit: seconds.
    private static let interval = 0.1
    /// Two labels that move towards each other by so much of their width each cover a twentieth of each other.
    private static let moveShare = 0.025

    init(settings: SceneSettings.Labels) {
        layout = LabelLayout(settings: settings)
        farthestMove = Self.moveShare * Angle.radians(degrees: settings.widthDegrees)
    }

    func slot(of id: String) -> LabelSlot? { slots[id] }

    /// Frame of `eye` and `velocity`: scene.
    mutating func update(_ placements: [Placement], eye: Vector3, velocity: Vector3, at time: BootTime) {
        let requests = placements.compactMap { Self.request($0, eye: eye) }
        if let lastLayout, (0..<Self.interval).contains(time.seconds(since: lastLayout)), !hasMoved(requests) { return }
        lastLayout = time
        stacked = requests
        slots = layout.place(requests, wearerVelocity: velocity, at: time)
    }

    private func hasMoved(_ requests: [LabelRequest]) -> Bool {
        requests.count != stacked.count
            || zip(requests, stacked).contains {
                $0.id != $1.id || Angle.wrapped($0.azimuth - $1.azimuth).magnitude > farthestMove
            }
    }

    /// Nil for what has no label.
    private static func request(_ placement: Placement, eye: Vector3) -> LabelRequest? {
        guard placement.lock == .scene, !placement.name.isEmpty else { return nil }
        let priority: Int
        switch placement.kind {
        case .arrow, .node, .start: return nil
        case .destination, .turn, .route: priority = 3
        case .anchor: priority = 2
        case .place, .cluster: priority = placement.isFavorite ? 1 : 0
        }
        let line = placement.position - eye
        return LabelRequest(
            id: placement.id, azimuth: atan2(line.x, -line.z), distance: hypot(line.x, line.z), priority: priority)
    }
}
