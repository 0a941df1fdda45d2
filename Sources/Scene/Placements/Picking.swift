import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Something that a ray can hit.
public struct PickTarget: Hashable, Sendable {
    public var id: String
    /// Frame: scene. Unit: metres.
    public var position: Vector3
    /// From its middle to its edge, as seen from where the ray begins. Unit: radians.
    public var halfAngle: Double

    public init(id: String, position: Vector3, halfAngle: Double) {
        self.id = id
        self.position = position
        self.halfAngle = halfAngle
    }
}

/// What a ray hits.
public struct PickHit: Hashable, Sendable {
    public var id: String
    /// Between the ray and the target's middle. Unit: radians.
    public var offAxis: Double
    /// From where the ray begins. Unit: metres.
    public var distance: Double

    public init(id: String, offAxis: Double, distance: Double) {
        self.id = id
        self.offAxis = offAxis
        self.distance = distance
    }
}

/// Which thing is meant by a ray: by angles, as hands and heads aim.
public enum Picking {
    /// Targets aimed at equally well to this share of their reach are told apart by their distance.
    private static let equalShare = 0.05

    /// The target whose middle is nearest to the ray by its own size and the tolerance; of those aimed at equally well the
    /// nearest, and then the first by its id. Nil where none is within its reach. What lies behind is never hit.
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

    /// Nil beyond its reach, and at the very origin of the ray, where nothing has a direction.
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
