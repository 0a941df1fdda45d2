import Geometry
import Glibc
import Model

/// Dependence of a placement's apparent size on its distance.
public enum SizePolicy: Hashable, Sendable {
    /// Full angle up to the near distance, then linearly smaller, and least from the far distance on.
    case fading
    /// Constant visual angle. Unit: radians.
    case angular(Double)
    /// Visual angle of a real object of this size. Unit: metres.
    case metric(Double)
}

/// Visual angle of a placement from edge to edge.
///
/// The renderer keeps this angle at whatever distance it draws the placement. At a distance D, the width is
/// `2·D·tan(angle/2)`. An object of fixed width would instead shrink with 1/D, whatever its policy.
public struct ApparentSize: Hashable, Sendable {
    /// Visual angle, radians in [0, π].
    public var angle: Double
    /// Fraction of the full size that remains after fading, in [0, 1].
    public var scale: Double

    package init(angle: Double, scale: Double) {
        self.angle = angle
        self.scale = scale
    }

    /// Returns the apparent size at a distance.
    ///
    /// - Parameter distance: distance from the eye in three dimensions, not the horizontal distance. Unit: metres.
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

    /// Returns the visual angle `2·atan(size/2d)`, which is π for an eye inside the object.
    private static func angleOf(_ size: Double, _ distance: Double) -> Double {
        guard size > 0 else { return 0 }
        return distance > 0 ? 2 * atan2(size / 2, distance) : .pi
    }

    /// Returns the scale `k = 1 − (1 − k_least)·(d − near)/(far − near)` between the two distances.
    private static func fadingScale(distance: Double, _ settings: SceneSettings.Placements) -> Double {
        let (near, far) = (settings.sizeNearMetres, settings.sizeFarMetres)
        guard distance > near else { return 1 }
        guard distance < far else { return settings.minimumSize }
        return 1 - (1 - settings.minimumSize) * (distance - near) / (far - near)
    }
}

/// Standard deviation of the direction in which the wearer sees a placement.
public enum AngularSigma {
    /// Returns the standard deviation `√(σ_yaw² + (σ_position/d)²)`, at most π; nil if either is unknown. Unit:
    /// radians.
    ///
    /// Only the position error across the line of sight changes the direction. Therefore σ_position is the standard
    /// deviation along one axis, which is the 68 % radius divided by 1.51.
    ///
    /// - Parameters:
    ///   - yawStandardDeviation: standard deviation of the yaw. Unit: radians.
    ///   - horizontalAccuracy: 68 % radius of the relative position of wearer and placement. Unit: metres.
    ///   - distance: horizontal distance. Unit: metres.
    public static func radians(yawStandardDeviation: Double?, horizontalAccuracy: Double?, distance: Double) -> Double?
    {
        guard let yawStandardDeviation, let horizontalAccuracy else { return nil }
        let across = horizontalAccuracy / PoseAccuracy.radius68
        // At distance zero every direction is possible, unless the position error is zero.
        guard distance > 0 else { return across > 0 ? .pi : min(yawStandardDeviation, .pi) }
        let ofPosition = across / distance
        return min((yawStandardDeviation * yawStandardDeviation + ofPosition * ofPosition).squareRoot(), .pi)
    }
}

/// Distance at which far placements are drawn, in the true direction and within the depth range of a display.
///
/// The drawn point depends on the eye and moves with it. If it were rendered as fixed, a mark 200 m away would swing by
/// 26° instead of 1.4° when the wearer steps 5 m aside. The true position is therefore published too.
public enum DisplayDistance {
    /// Returns the distance at which to draw. It increases with the true distance, which keeps the depth order, and
    /// never exceeds it. Unit: metres.
    public static func metres(for distance: Double, settings: SceneSettings.Placements) -> Double {
        max(0, min(distance, settings.displayBaseMetres + settings.displayShare * distance))
    }
}

/// Periodic change of a mark that attracts attention. It is synchronous on all displays.
///
/// The phase φ is in [0, 1) and is 0 at the epoch. The wave is the smooth function `w = sin²(πφ)`, which rises from 0
/// to 1 at half a period and falls back to 0. Opacity is `1 + w·(opacity − 1)`, scale is `1 + w·(scale − 1)`.
public struct Pulse: Hashable, Sendable {
    /// Time at which the phase is 0.
    public var epoch: BootTime
    /// Period. Unit: seconds.
    public var period: Double
    /// Opacity at half a period; it is 1 at the epoch.
    public var opacity: Double
    /// Scale at half a period; it is 1 at the epoch.
    public var scale: Double

    package init(epoch: BootTime, period: Double, opacity: Double, scale: Double) {
        self.epoch = epoch
        self.period = period
        self.opacity = opacity
        self.scale = scale
    }

    package init(epoch: BootTime, settings: SceneSettings.Placements) {
        self.init(
            epoch: epoch, period: settings.pulseSeconds, opacity: settings.pulseOpacity, scale: settings.pulseScale)
    }
}
