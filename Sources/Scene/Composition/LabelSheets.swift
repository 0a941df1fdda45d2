import Geometry
import Model

/// The labels of a scene in each of the sizes in which displays draw them: displays with equal wishes share one layout.
struct LabelSheets {
    private let settings: SceneSettings.Labels
    /// In the size of the settings.
    private var common: LabelLayer
    private var own: [LabelSize: LabelLayer] = [:]
    /// Those in which displays draw them. What is remembered of labels of any other size goes.
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

    /// The slot of each placement, in their order, by the settings' size and by each other one.
    ///
    /// Frame of `eye` and `velocity`: scene.
    mutating func update(
        _ placements: [Placement], eye: Vector3, velocity: Vector3, at time: BootTime
    ) -> (common: [LabelSlot?], own: [LabelSize: [LabelSlot?]]) {
        let wishes = LabelWishes(placements, eye: eye)
        let slots = common.update(wishes, velocity: velocity, at: time)
        var others: [LabelSize: [LabelSlot?]] = [:]
        for size in own.keys { others[size] = own[size]?.update(wishes, velocity: velocity, at: time) }
        return (slots, others)
    }
}
