import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Where forward lies against the board, by what the gait itself shows step by step.
package struct GaitDirection: Sendable {
    private var cosine = 0.0
    private var sine = 0.0
    private var weight = 0.0

    package init() {}

    /// Share that is kept at each step.
    private static let fading = 0.93
    /// Number of steps and likeness of their directions that are asked for.
    private static let leastWeight = 6.0
    private static let leastLikeness = 0.75
    /// The same where the posture says otherwise.
    private static let leastWeightAgainst = 10.0
    private static let leastLikenessAgainst = 0.85

    /// - Parameter azimuth: of the direction that the gait shows, against the board's, clockwise. Unit: radians.
    mutating func add(azimuth: Double) {
        cosine = cosine * Self.fading + cos(azimuth)
        sine = sine * Self.fading + sin(azimuth)
        weight = weight * Self.fading + 1
    }

    /// Mean of the azimuths; nil while they are few or unlike. Unit: radians.
    ///
    /// - Parameter isAgainst: whether it would overrule what the posture says.
    func azimuth(isAgainst: Bool) -> Double? {
        let length = (cosine * cosine + sine * sine).squareRoot()
        let least = isAgainst ? Self.leastWeightAgainst : Self.leastWeight
        let likeness = isAgainst ? Self.leastLikenessAgainst : Self.leastLikeness
        guard weight >= least, length >= likeness * weight else { return nil }
        return atan2(sine, cosine)
    }
}
