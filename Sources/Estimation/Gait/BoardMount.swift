import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Orientation of the board relative to the direction of walking: ahead, unless its posture, its swing or satellites
/// show otherwise.
package struct BoardMount: Sendable {
    /// Origin of the azimuth.
    package enum Source: Sendable {
        /// A board worn as designed, and so ahead.
        case design
        /// Nothing: the board hangs in another way, or has been moved.
        case nothing
        /// The line along which the trunk swings: a guess.
        case line
        /// The swing of a leg.
        case swing
        /// Velocities or positions of fixes.
        case satellites
    }

    /// Azimuth of the walking direction against the board's forward direction, clockwise. Unit: radians.
    package private(set) var azimuth = 0.0
    /// Origin of the azimuth.
    package private(set) var source = Source.design
    /// Fading sum of the cosines of observed directions relative to the mount.
    private var cosine = 0.0
    /// Fading sum of their sines.
    private var sine = 0.0
    /// Fading number of observations.
    private var weight = 0.0

    package init(azimuth: Double = 0, source: Source = .design) {
        self.azimuth = azimuth
        self.source = source
    }

    /// Whether the azimuth is known to `steps.directionDeviation`.
    package var isKnown: Bool { source != .nothing && source != .line }

    /// Share of the sums that is kept at each step.
    private static let fading = 0.93
    /// Least number of steps in the sums.
    private static let leastWeight = 7.0
    /// Least mean resultant length of the directions.
    private static let leastLikeness = 0.8
    /// Least difference that changes the mount. Unit: radians.
    static let leastAzimuth = 0.8

    /// Adds a step in an observed direction.
    ///
    /// - Parameter difference: azimuth of the direction less that of the mount, clockwise. Unit: radians.
    /// - Returns: whether the mount was set anew.
    mutating func add(azimuth difference: Double) -> Bool {
        cosine = cosine * Self.fading + cos(difference)
        sine = sine * Self.fading + sin(difference)
        weight = weight * Self.fading + 1
        let mean = atan2(sine, cosine)
        let likeness = (cosine * cosine + sine * sine).squareRoot() / weight
        let isNews = mean.magnitude >= Self.leastAzimuth || !isKnown
        guard weight >= Self.leastWeight, likeness >= Self.leastLikeness, isNews else { return false }
        azimuth = Angle.wrapped(azimuth + mean)
        source = .satellites
        (cosine, sine, weight) = (0, 0, 0)
        return true
    }
}
