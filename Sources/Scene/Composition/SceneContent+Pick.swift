import Geometry

/// Placement that a ray hits.
public struct PickedPlacement: Hashable, Sendable {
    /// Placement as a display without a border would show it.
    public var viewed: ViewedPlacement
    /// Angle between the ray and the placement's middle. Unit: radians.
    public var offAxis: Double
    /// Distance from the origin of the ray. Unit: metres.
    public var distance: Double
}

extension SceneContent {
    /// Placement that a ray hits, whether or not a display shows it; nil for none.
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

    /// Position of a placement. Frame: scene. Unit: metres.
    func pointInScene(of placement: Placement) -> Vector3 {
        placement.lock == .head ? eye + rotationSceneFromBody * placement.position : placement.position
    }
}
