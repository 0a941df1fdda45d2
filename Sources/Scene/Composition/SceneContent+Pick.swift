import Geometry

/// What a ray hits in a scene.
public struct PickedPlacement: Hashable, Sendable {
    public var viewed: ViewedPlacement
    /// Between the ray and its middle. Unit: radians.
    public var offAxis: Double
    /// From where the ray begins. Unit: metres.
    public var distance: Double
}

extension SceneContent {
    /// What a display without a border would show: everything as visible.
    public func pick(_ ray: Ray, settings: SceneSettings.Placements) -> PickedPlacement? {
        let targets = placements.lazy.map { placement in
            PickTarget(
                id: placement.id, position: pointInScene(of: placement), halfAngle: placement.size.angle / 2)
        }
        guard let hit = Picking.pick(ray, among: targets, settings: settings),
            let placement = placements.first(where: { $0.id == hit.id })
        else { return nil }
        let viewed = ViewedPlacement(placement: placement, revision: 0, isVisible: true)
        return PickedPlacement(viewed: viewed, offAxis: hit.offAxis, distance: hit.distance)
    }

    /// Frame: scene. Unit: metres.
    func pointInScene(of placement: Placement) -> Vector3 {
        placement.lock == .head ? eye + rotationSceneFromBody * placement.position : placement.position
    }
}
