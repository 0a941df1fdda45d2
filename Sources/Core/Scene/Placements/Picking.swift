import Geometry
import Glibc

/// Half-line, such as the line of sight or the pointing direction of a hand controller.
public struct Ray: Hashable, Sendable {
    /// Origin. Frame: scene. Unit: metres.
    public let origin: Vector3
    /// Unit vector of the direction. Frame: scene.
    public let direction: Vector3

    /// Makes a ray from an origin in a direction; nil if the direction is zero or a value is not finite.
    public init?(origin: Vector3, direction: Vector3) {
        guard origin.isFinite, let unit = direction.normalized else { return nil }
        self.origin = origin
        self.direction = unit
    }
}

/// Target of picking.
public struct PickTarget: Hashable, Sendable {
    package var id: String
    /// Position of the target's middle. Frame: scene. Unit: metres.
    public var position: Vector3
    /// Visual radius as seen from the origin of the ray. Unit: radians.
    public var halfAngle: Double

    package init(id: String, position: Vector3, halfAngle: Double) {
        self.id = id
        self.position = position
        self.halfAngle = halfAngle
    }
}

/// Target that a ray hits.
public struct PickHit: Hashable, Sendable {
    package var id: String
    /// Angle between the ray and the target's middle. Unit: radians.
    public var offAxis: Double
    /// Distance from the origin of the ray. Unit: metres.
    public var distance: Double
}

/// Selection of a target by a ray. Targets are compared by angles, since people aim by angles with hands and heads.
public enum Picking {
    /// Fraction of the reach within which the ray counts as aimed at two targets equally well.
    private static let equalShare = 0.05

    /// Returns the target whose middle is nearest to the ray, relative to the target's size plus the tolerance. If it
    /// is aimed at several targets equally well, returns the nearest, or the first by identifier. Nil if no target is
    /// within reach. Targets behind the origin are never hit.
    public static func pick(
        _ ray: Ray, among targets: some Sequence<PickTarget>, settings: SceneSettings.Placements
    ) -> PickHit? {
        let tolerance = Angle.radians(degrees: settings.pickDegrees)
        var best: (aim: Int, hit: PickHit)?
        for target in targets {
            guard let found = reach(ray, target, tolerance) else { continue }
            if best.map({ precedes(found, $0) }) ?? true { best = found }
        }
        return best?.hit
    }

    private static func precedes(_ a: (aim: Int, hit: PickHit), _ b: (aim: Int, hit: PickHit)) -> Bool {
        (a.aim, a.hit.distance, a.hit.id) < (b.aim, b.hit.distance, b.hit.id)
    }

    /// Returns the aim and hit of a target; nil if the ray passes beyond its reach, or if the target is at the origin
    /// of the ray.
    private static func reach(_ ray: Ray, _ target: PickTarget, _ tolerance: Double) -> (aim: Int, hit: PickHit)? {
        let line = target.position - ray.origin
        let distance = line.norm
        let along = line.dot(ray.direction)
        guard distance.isFinite, along > 0 else { return nil }
        let offAxis = atan2(line.cross(ray.direction).norm, along)
        let reach = max(0, target.halfAngle) + max(0, tolerance)
        guard offAxis <= reach else { return nil }
        let aim = reach > 0 ? Int(offAxis / reach / equalShare) : 0
        return (aim, PickHit(id: target.id, offAxis: offAxis, distance: distance))
    }
}
