#if canImport(Glibc)
    import Glibc
#endif

/// Probability that the wearer is within a circle, given a Gaussian position.
package enum CircleProbability {
    /// Probability `P(‖X‖ < R)` for a Gaussian X about a point at distance d from the centre, with standard deviation σ
    /// along each axis: the Rice distribution, `1 − Q₁(d/σ, R/σ)` with Marcum's Q. Accurate to 1e-10.
    ///
    /// Across the line to the centre the integral is an error function; along it, with x = R·sinθ, the remaining
    /// integral
    ///
    ///     ∫ φ((R·sinθ − d)/σ)·erf(R·cosθ/σ√2)·(R·cosθ/σ) dθ    over θ from −π/2 to π/2
    ///
    /// is half the integral of a smooth function over its period, for which the trapezoidal rule converges
    /// geometrically.
    ///
    /// Unit: metres. Arguments: d ≥ 0, R > 0, σ ≥ 0, all finite; σ = 0 is a known position.
    package static func within(radius: Double, distance: Double, deviation: Double) -> Double {
        guard deviation > 0 else { return distance < radius ? 1 : 0 }
        let r = radius / deviation
        let d = distance / deviation
        // Beyond 8 standard deviations less than 1e-14 of the probability is on the other side.
        if d - r > 8 { return 0 }
        if r - d > 8 { return 1 }
        // The integrand changes over about 1/r radians; a smaller σ than this resolution counts as zero.
        guard r < 1000 else { return distance < radius ? 1 : 0 }
        let steps = 32 + 8 * Int(r)
        var sum = 0.0
        for step in 0..<steps {
            let angle = (Double(step) + 0.5) * (.pi / Double(steps)) - .pi / 2
            let offset = r * sin(angle) - d
            guard offset.magnitude < 9 else { continue }
            let half = r * cos(angle)
            sum += exp(-0.5 * offset * offset) * erf(half * 0.5.squareRoot()) * half
        }
        return min(1, max(0, sum * (.pi / Double(steps)) / (2 * .pi).squareRoot()))
    }
}
