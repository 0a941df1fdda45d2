import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// How large a placement seems, as its distance changes.
public enum SizePolicy: Hashable, Sendable {
    /// Full up to the near distance, then smaller in proportion to the way, and from the far distance on the least.
    case fading
    /// The same angle at any distance. Unit: radians.
    case angular(Double)
    /// That of a real thing so large. Unit: metres.
    case metric(Double)
}

/// The angle under which the wearer sees a placement, from one edge to the other.
///
/// The renderer keeps the angle, wherever it draws the placement: at a distance D that is a width of `2·D·tan(angle/2)`. A
/// thing of a fixed width would instead shrink with 1/D, and not by its policy.
public struct ApparentSize: Hashable, Sendable {
    /// Radians, in [0, π].
    public var angle: Double
    /// Share of the full size that is left by fading, in [0, 1].
    public var scale: Double

    public init(angle: Double, scale: Double) {
        self.angle = angle
        self.scale = scale
    }

    /// - Parameter distance: from the eye, in space and not over ground. Unit: metres.
    public static func of(
        _ policy: SizePolicy, distance: Double, settings: SceneSettings.Placements
    ) -> ApparentSize {
        switch policy {
        case .fading:
            let scale = fadingScale(distance: distance, settings)
            return ApparentSize(angle: Angle.radians(degrees: settings.markDegrees) * scale, scale: scale)
        case .angular(let angle): return ApparentSize(angle: min(max(0, angle), .pi), scale: 1)
        case .metric(let size): return ApparentSize(angle: angleOf(size, distance), scale: 1)
        }
    }

    /// `2·atan(size/2d)`, which is a half-turn for the eye within.
    private static func angleOf(_ size: Double, _ distance: Double) -> Double {
        guard size > 0 else { return 0 }
        return distance > 0 ? 2 * atan2(size / 2, distance) : .pi
    }

    /// `k = 1 − (1 − k_least)·(d − near)/(far − near)`, between the two distances.
    private static func fadingScale(distance: Double, _ settings: SceneSettings.Placements) -> Double {
        let (near, far) = (settings.sizeNearMetres, settings.sizeFarMetres)
        guard distance > near else { return 1 }
        guard distance < far else { return settings.leastSize }
        return 1 - (1 - settings.leastSize) * (distance - near) / (far - near)
    }
}
