import Geometry
import Measurements

/// Labels of a scene in each size that displays use; displays with equal sizes share one layout.
struct LabelLayers {
    private let settings: SceneSettings.Labels
    /// Labels in the size of the settings.
    private var common: LabelLayer
    private var own: [LabelSize: LabelLayer] = [:]
    /// Sizes that displays use; layouts of other sizes are discarded.
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

    /// Slot of each placement, in order of the placements, for the settings' size and for each other one.
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
