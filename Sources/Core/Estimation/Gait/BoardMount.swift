import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Orientation of the board relative to the walking direction: ahead, unless posture, swing or satellites contradict
/// this assumption.
package struct BoardMount: Sendable, Codable {
    /// Origin of the azimuth.
    package enum Source: UInt8, CaseIterable, Sendable, Codable {
        /// Board worn as designed, and therefore ahead.
        case design
        /// Unknown: the board hangs differently, or has been moved.
        case nothing
        /// Walking axis along which the trunk swings: an unreliable source.
        case line
        /// The swing of a leg.
        case swing
        /// Velocities or positions of fixes.
        case satellites
    }

    /// Azimuth of the walking direction relative to the board's forward direction, clockwise. Unit: radians.
    package private(set) var azimuth = 0.0
    /// Origin of the azimuth.
    package private(set) var source = Source.design
    /// Fading sum of the cosines of observed directions relative to the mount.
    private var cosine = 0.0
    /// Fading sum of the sines of observed directions relative to the mount.
    private var sine = 0.0
    /// Fading number of observations.
    private var weight = 0.0

    package init(azimuth: Double = 0, source: Source = .design) {
        self.azimuth = azimuth
        self.source = source
    }

    /// Whether the azimuth is known with the standard deviation `steps.directionStandardDeviation`.
    package var isKnown: Bool { source != .nothing && source != .line }

    /// Share of the sums kept at each step.
    private static let fading = 0.93
    /// Least number of steps in the sums.
    private static let minimumWeight = 7.0
    /// Least mean resultant length of the observed directions, from 0 (scattered) to 1 (equal).
    private static let minimumLikeness = 0.8
    /// Least difference that changes the mount. Unit: radians.
    package static let minimumAzimuthChange = 0.8

    /// Adds a step in an observed direction.
    ///
    /// - Parameter difference: azimuth of the observed direction relative to the mount, clockwise. Unit: radians.
    /// - Returns: whether the mount was reset.
    package mutating func add(azimuth difference: Double) -> Bool {
        cosine = cosine * Self.fading + cos(difference)
        sine = sine * Self.fading + sin(difference)
        weight = weight * Self.fading + 1
        let mean = atan2(sine, cosine)
        let likeness = (cosine * cosine + sine * sine).squareRoot() / weight
        let isNews = mean.magnitude >= Self.minimumAzimuthChange || !isKnown
        guard weight >= Self.minimumWeight, likeness >= Self.minimumLikeness, isNews else { return false }
        azimuth = Angle.wrapped(azimuth + mean)
        source = .satellites
        (cosine, sine, weight) = (0, 0, 0)
        return true
    }
}

/// Walking direction relative to the board, from the gait alone, step by step.
package struct GaitDirection: Sendable, Codable {
    private var cosine = 0.0
    private var sine = 0.0
    private var weight = 0.0

    package init() {}

    /// Share of the sums kept at each step.
    private static let fading = 0.93
    /// Least number of steps.
    private static let minimumWeight = 6.0
    /// Least mean resultant length of the step directions.
    private static let minimumLikeness = 0.75
    /// Least number of steps for a direction that overrules the posture.
    private static let minimumWeightAgainst = 10.0
    /// Least mean resultant length of a direction that overrules the posture.
    private static let minimumLikenessAgainst = 0.85

    /// Adds a step.
    ///
    /// - Parameter azimuth: walking azimuth from the gait relative to the azimuth of the board, clockwise. Unit:
    ///   radians.
    mutating func add(azimuth: Double) {
        cosine = cosine * Self.fading + cos(azimuth)
        sine = sine * Self.fading + sin(azimuth)
        weight = weight * Self.fading + 1
    }

    /// Mean azimuth; nil if the steps are too few or too scattered. Unit: radians.
    ///
    /// - Parameter isAgainst: whether the mean would overrule the posture.
    func azimuth(isAgainst: Bool) -> Double? {
        let length = (cosine * cosine + sine * sine).squareRoot()
        let minimum = isAgainst ? Self.minimumWeightAgainst : Self.minimumWeight
        let likeness = isAgainst ? Self.minimumLikenessAgainst : Self.minimumLikeness
        guard weight >= minimum, length >= likeness * weight else { return nil }
        return atan2(sine, cosine)
    }
}

/// Angle between the walking direction and the axis along which the trunk swings. It is constant while the gait stays
/// the same, and is learned while satellites determine the walking direction.
package struct LineBias: Sendable, Codable {
    private var sum = 0.0
    private var weight = 0.0

    package init() {}

    /// Standard deviation before any observation. Unit: radians. Origin: telephones held ahead on recorded walks.
    private static let startStandardDeviation = 0.3
    /// Variance of a single comparison. Unit: rad².
    private static let variance = 0.02
    /// Number of successive steps whose errors are equal, so that they count as one comparison.
    private static let steps = 5.0
    /// Share of the sums kept at each step, to follow a changing gait.
    private static let fading = 0.99

    /// Adds a comparison.
    ///
    /// - Parameter angle: azimuth of the axis relative to the walking direction, clockwise. Unit: radians.
    package mutating func add(_ angle: Double) {
        sum = sum * Self.fading + angle
        weight = weight * Self.fading + 1
    }

    private var information: Double {
        1 / (Self.startStandardDeviation * Self.startStandardDeviation) + weight / (Self.variance * Self.steps)
    }

    /// Azimuth of the axis relative to the walking direction, clockwise. Unit: radians.
    package var angle: Double { sum / (Self.variance * Self.steps) / information }

    /// Standard deviation of the angle. Unit: radians.
    package var standardDeviation: Double { (1 / information).squareRoot() }
}
