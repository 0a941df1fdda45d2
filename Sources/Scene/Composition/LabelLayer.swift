import Geometry
import Measurements

/// Labels of one size in a scene. The layout is updated several times a second, and at once when a label appears,
/// disappears or moves sideways, or its mark overlaps it, as when a cluster gains a place and jumps to its new middle.
struct LabelLayer {
    private var layout: LabelLayout
    /// Requests of the last layout, in order of the placements, and the slot of each.
    private var stacked: [LabelRequest] = []
    private var slots: [LabelSlot?] = []
    private var lastLayout: BootTime?
    /// Change of a label's azimuth that requires a new layout. Unit: radians.
    private let farthestMove: Double

    /// Interval between two layouts. Unit: seconds.
    private static let interval = 0.1

    /// - Parameter size: size of the labels; nil for that of the settings.
    init(settings: SceneSettings.Labels, size: LabelSize? = nil) {
        layout = LabelLayout(settings: settings, size: size)
        farthestMove =
            LabelRules.drift * Angle.radians(degrees: size?.widthDegrees ?? settings.widthDegrees)
    }

    /// Slot of each placement, in order of the placements; nil for one without a visible label.
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

    /// Whether the last layout is still valid.
    private func isLayoutValid(_ requests: [LabelRequest], at time: BootTime) -> Bool {
        guard let lastLayout, (0..<Self.interval).contains(time.seconds(since: lastLayout)),
            requests.count == stacked.count
        else { return false }
        for (number, request) in requests.enumerated() {
            guard request.id == stacked[number].id,
                Angle.wrapped(request.azimuth - stacked[number].azimuth).magnitude <= farthestMove
            else { return false }
            if let slot = slots[number], slot.covers(elevation: request.elevation, radius: request.radius) {
                return false
            }
        }
        return true
    }
}
