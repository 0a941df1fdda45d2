import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// The tilt that the specific force shows where the body does not accelerate.
package enum Levelling {
    /// ENU from body, with the horizontal direction in which the body's own axes come out least turned.
    ///
    /// Frame of `force`: body.
    package static func rotation(force: Vector3) -> Rotation3 {
        guard let up = force.normalized else { return .identity }
        // The shortest turn that brings `up` to +z; its axis is up × z.
        let axis = up.cross(Vector3(0, 0, 1))
        let cosine = up.z
        guard cosine > -0.999_999 else { return Rotation3.exp(Vector3(.pi, 0, 0)) }
        let w = ((1 + cosine) / 2).squareRoot()
        let half = axis / (2 * w)
        return Rotation3(w: w, x: half.x, y: half.y, z: half.z) ?? .identity
    }

    /// How far it may be wrong: an acceleration shows itself in the length of the force only in part.
    package static func deviation(force: Vector3, settings: EstimatorSettings) -> Double {
        let excess = (force.norm - Site.standardGravity).magnitude / Site.standardGravity
        return min(0.5, settings.initial.tiltDeviation + 2 * excess)
    }
}
