import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// How the board is worn against the direction of walking: ahead, unless its posture, its swing or satellites show that it
/// is not.
package struct BoardMount: Sendable {
    /// Where the azimuth is from.
    package enum Source: Sendable {
        /// A board worn as designed is worn ahead.
        case design
        /// Nothing: the board hangs in another way, or has been put elsewhere.
        case nothing
        /// A guess, by the line along which the trunk swings.
        case line
        /// The swing of a leg.
        case swing
        case satellites
    }

    /// Azimuth of the walking direction against the board's forward direction, clockwise. Unit: radians.
    package private(set) var azimuth = 0.0
    package private(set) var source = Source.design
    /// Faded sums of the directions seen against it.
    private var cosine = 0.0
    private var sine = 0.0
    private var weight = 0.0

    package init(azimuth: Double = 0, source: Source = .design) {
        self.azimuth = azimuth
        self.source = source
    }

    /// Whether the standard deviation of the walking direction holds.
    package var isKnown: Bool { source != .nothing && source != .line }

    /// What is kept of the sums at each step.
    private static let fading = 0.93
    /// Needed to believe: steps in the sums, how alike they are, and how far they are off (radians).
    private static let leastWeight = 7.0
    private static let leastLikeness = 0.8
    static let leastAzimuth = 0.8

    /// Takes a step in a known direction.
    ///
    /// - Parameter azimuth: of the direction against the mount's, clockwise. Unit: radians.
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
