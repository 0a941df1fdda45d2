import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Direction of walking relative to the board, by the gait alone, step by step.
package struct GaitDirection: Sendable {
    private var cosine = 0.0
    private var sine = 0.0
    private var weight = 0.0

    package init() {}

    /// Share that is kept at each step.
    private static let fading = 0.93
    /// Least number of steps.
    private static let leastWeight = 6.0
    /// Least mean resultant length of their directions.
    private static let leastLikeness = 0.75
    /// Least number of steps that overrule the posture.
    private static let leastWeightAgainst = 10.0
    /// Least mean resultant length that overrules the posture.
    private static let leastLikenessAgainst = 0.85

    /// Adds a step.
    ///
    /// - Parameter azimuth: azimuth of walking by the gait less that of the board, clockwise. Unit: radians.
    mutating func add(azimuth: Double) {
        cosine = cosine * Self.fading + cos(azimuth)
        sine = sine * Self.fading + sin(azimuth)
        weight = weight * Self.fading + 1
    }

    /// Mean azimuth; nil while the steps are few or scattered. Unit: radians.
    ///
    /// - Parameter isAgainst: whether the mean would overrule the posture.
    func azimuth(isAgainst: Bool) -> Double? {
        let length = (cosine * cosine + sine * sine).squareRoot()
        let least = isAgainst ? Self.leastWeightAgainst : Self.leastWeight
        let likeness = isAgainst ? Self.leastLikenessAgainst : Self.leastLikeness
        guard weight >= least, length >= likeness * weight else { return nil }
        return atan2(sine, cosine)
    }
}
