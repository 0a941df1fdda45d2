import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Dependence of a placement's apparent size on its distance.
public enum SizePolicy: Hashable, Sendable {
    /// Full angle up to the near distance, then linearly smaller, and the least from the far distance on.
    case fading
    /// Constant visual angle. Unit: radians.
    case angular(Double)
    /// Visual angle of a real object of this size. Unit: metres.
    case metric(Double)
}

/// Visual angle of a placement from edge to edge.
///
/// The renderer keeps the angle at whatever distance it draws the placement: at a distance D the width is
/// `2·D·tan(angle/2)`. An object of fixed width would instead shrink with 1/D, whatever its policy.
public struct ApparentSize: Hashable, Sendable {
    /// Visual angle, radians in [0, π].
    public var angle: Double
    /// Share of the full size that remains after fading, in [0, 1].
    public var scale: Double

    /// Size with a visual angle in radians and a scale.
    public init(angle: Double, scale: Double) {
        self.angle = angle
        self.scale = scale
    }

    /// Apparent size at a distance.
    ///
    /// - Parameter distance: distance from the eye in space, not over ground. Unit: metres.
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

    /// Visual angle `2·atan(size/2d)`, which is π for an eye inside the object.
    private static func angleOf(_ size: Double, _ distance: Double) -> Double {
        guard size > 0 else { return 0 }
        return distance > 0 ? 2 * atan2(size / 2, distance) : .pi
    }

    /// Scale `k = 1 − (1 − k_least)·(d − near)/(far − near)` between the two distances.
    private static func fadingScale(distance: Double, _ settings: SceneSettings.Placements) -> Double {
        let (near, far) = (settings.sizeNearMetres, settings.sizeFarMetres)
        guard distance > near else { return 1 }
        guard distance < far else { return settings.leastSize }
        return 1 - (1 - settings.leastSize) * (distance - near) / (far - near)
    }
}
