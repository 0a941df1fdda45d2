import Geometry
import Glibc
import Model

/// Labels of one size in a scene. The layout is updated several times a second. It is also updated when a label
/// appears, disappears or moves sideways, or when a mark overlaps its own label, for example because a cluster gains a
/// place and jumps to its new middle.
struct LabelLayer {
    private var layout: LabelLayout
    /// Requests of the last layout in order of the placements, and the slot of each.
    private var stacked: [LabelRequest] = []
    private var slots: [LabelSlot?] = []
    private var lastLayout: BootTime?
    /// Change of a label's azimuth that requires a new layout. Unit: radians.
    private let maximumMove: Double

    /// Interval between two layouts. Unit: seconds.
    private static let interval = 0.1

    /// - Parameter size: size of the labels; nil for the size in the settings.
    init(settings: SceneSettings.Labels, size: LabelSize? = nil) {
        layout = LabelLayout(settings: settings, size: size)
        maximumMove =
            LabelRules.drift * Angle.radians(degrees: size?.widthDegrees ?? settings.widthDegrees)
    }

    /// Returns the slot of each placement, in order of the placements; nil for a placement without a visible label.
    ///
    /// - Parameter velocity: velocity of the wearer. Frame: scene. Unit: m/s.
    mutating func update(_ labels: LabelRequests, velocity: Vector3, at time: BootTime) -> [LabelSlot?] {
        if !isLayoutValid(labels.requests, at: time) {
            lastLayout = time
            stacked = labels.requests
            let found = layout.place(stacked, besides: labels.marks, wearerVelocity: velocity, at: time)
            slots = stacked.map { found[$0.id] }
        }
        var all = [LabelSlot?](repeating: nil, count: labels.placements)
        for (number, index) in labels.indices.enumerated() { all[index] = slots[number] }
        return all
    }

    private func isLayoutValid(_ requests: [LabelRequest], at time: BootTime) -> Bool {
        guard let lastLayout, (0..<Self.interval).contains(time.seconds(since: lastLayout)),
            requests.count == stacked.count
        else { return false }
        for (number, request) in requests.enumerated() {
            guard request.id == stacked[number].id,
                Angle.wrapped(request.azimuth - stacked[number].azimuth).magnitude <= maximumMove
            else { return false }
            if let slot = slots[number], slot.covers(elevation: request.elevation, radius: request.radius) {
                return false
            }
        }
        return true
    }
}

/// Labels of a scene in each size that displays use. Displays with equal sizes share one layout.
struct LabelLayers {
    private let settings: SceneSettings.Labels
    /// Labels in the size of the settings.
    private var common: LabelLayer
    private var own: [LabelSize: LabelLayer] = [:]
    /// Sizes that displays use. Layouts of other sizes are discarded.
    var sizes: Set<LabelSize> = [] {
        didSet { followSizes() }
    }

    init(settings: SceneSettings.Labels) {
        self.settings = settings
        common = LabelLayer(settings: settings)
    }

    private mutating func followSizes() {
        own = own.filter { sizes.contains($0.key) }
        for size in sizes where own[size] == nil && size != LabelSize(settings) {
            own[size] = LabelLayer(settings: settings, size: size)
        }
    }

    /// Returns the slot of each placement, in order of the placements, for the label size of the settings and for each
    /// other size.
    ///
    /// Frame of `eye` and `velocity`: scene. Units: metres, m/s.
    mutating func update(
        _ placements: [Placement], eye: Vector3, velocity: Vector3, at time: BootTime
    ) -> (common: [LabelSlot?], own: [LabelSize: [LabelSlot?]]) {
        let labels = LabelRequests(placements, eye: eye)
        let slots = common.update(labels, velocity: velocity, at: time)
        var others: [LabelSize: [LabelSlot?]] = [:]
        for size in own.keys { others[size] = own[size]?.update(labels, velocity: velocity, at: time) }
        return (slots, others)
    }
}

/// Placements in a scene that need a label, and the marks that labels must not cover.
struct LabelRequests {
    /// Requests in order of the placements, and the index of the placement of each request.
    private(set) var requests: [LabelRequest] = []
    private(set) var indices: [Int] = []
    /// Marks of placements without a label.
    private(set) var marks: [LabelMark] = []
    let placements: Int

    /// Makes requests for the placements as they are seen from the wearer's eye. Frame of `eye`: scene. Unit: metres.
    init(_ placements: [Placement], eye: Vector3) {
        self.placements = placements.count
        requests.reserveCapacity(placements.count)
        indices.reserveCapacity(placements.count)
        for (index, placement) in placements.enumerated() where placement.lock == .scene {
            guard let priority = Self.priority(placement.kind, isFavorite: placement.isFavorite) else { continue }
            let line = placement.position - eye
            let level = hypot(line.x, line.z)
            let (azimuth, elevation) = (atan2(line.x, -line.z), atan2(line.y, level))
            let radius = placement.maximumAngle / 2
            if !placement.hasName {
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

    /// Returns the priority of a label; nil for the many small elements on the ground, which have no label.
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
    var maximumAngle: Double { min(.pi, size.angle * max(1, pulse?.scale ?? 1)) }
}
