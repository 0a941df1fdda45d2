import Geometry
import Model

/// The labels of one size in a scene, stacked anew several times a second, and at once when one comes, goes or moves aside,
/// or its mark comes upon it: a cluster that takes in a place leaps to its new middle.
struct LabelLayer {
    private var layout: LabelLayout
    /// What was stacked last, in the order of the placements, and the slot of each.
    private var stacked: [LabelRequest] = []
    private var slots: [LabelSlot?] = []
    private var lastLayout: BootTime?
    /// Of a label's azimuth, after which all are stacked anew. Unit: radians.
    private let farthestMove: Double

    /// Between two layouts. Unit: seconds.
    private static let interval = 0.1

    /// - Parameter size: nil for that of the settings.
    init(settings: SceneSettings.Labels, size: LabelSize? = nil) {
        layout = LabelLayout(settings: settings, size: size)
        farthestMove =
            LabelRules.drift * Angle.radians(degrees: size?.widthDegrees ?? settings.widthDegrees)
    }

    /// The slot of each placement, in their order.
    ///
    /// - Parameter velocity: the wearer's. Frame: scene.
    mutating func update(_ wishes: LabelWishes, velocity: Vector3, at time: BootTime) -> [LabelSlot?] {
        if !isStill(wishes.requests, at: time) {
            lastLayout = time
            stacked = wishes.requests
            let found = layout.place(stacked, besides: wishes.marks, wearerVelocity: velocity, at: time)
            slots = stacked.map { found[$0.id] }
        }
        var all = [LabelSlot?](repeating: nil, count: wishes.placements)
        for (number, index) in wishes.indices.enumerated() { all[index] = slots[number] }
        return all
    }

    /// Whether the last layout still holds.
    private func isStill(_ requests: [LabelRequest], at time: BootTime) -> Bool {
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
