import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Tilt from the specific force of a body that does not accelerate.
package enum Levelling {
    /// Rotation to ENU from body of the smallest angle: the heading is arbitrary.
    ///
    /// Frame of `force`: body.
    package static func rotation(force: Vector3) -> Rotation3 {
        guard let up = force.normalized else { return .identity }
        // The smallest rotation that brings `up` to +z; its axis is up × z.
        let axis = up.cross(Vector3(0, 0, 1))
        let cosine = up.z
        guard cosine > -0.999_999 else { return Rotation3.exp(Vector3(.pi, 0, 0)) }
        let w = ((1 + cosine) / 2).squareRoot()
        let half = axis / (2 * w)
        return Rotation3(w: w, x: half.x, y: half.y, z: half.z) ?? .identity
    }

    /// Standard deviation of that tilt: the norm of the force reveals an acceleration only in part. Unit: radians.
    package static func deviation(force: Vector3, settings: EstimatorSettings) -> Double {
        let excess = (force.norm - Site.standardGravity).magnitude / Site.standardGravity
        return min(0.5, settings.initial.tiltDeviation + 2 * excess)
    }
}
