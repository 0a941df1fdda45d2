import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Azimuth of a vehicle's forward direction relative to the board's, learned from GNSS velocities, and its steadiness:
/// a board on a dashboard keeps it to a degree, one on a head does not.
///
/// Equation: docs/filter.md (81).
package struct VehicleMount: Sendable {
    /// Fading sum of the cosines of the observed azimuths.
    private var cosine = 0.0
    /// Fading sum of their sines.
    private var sine = 0.0
    /// Fading number of observations.
    private var weight = 0.0
    /// Fading mean of the normalised squared innovations of the constraint; 1 while the mount is right.
    private var innovationSquare = 1.0

    package init() {}

    /// Share of the sums that is kept at each fix: about forty fixes count.
    private static let fading = 0.975
    /// Least number of fixes.
    private static let leastWeight = 15.0
    /// Standard deviation of the angle beyond which the board turns within the vehicle. Unit: radians.
    private static let largestDeviation = 0.12
    /// Standard deviation that remains whatever the fixes show: slip in curves. Unit: radians.
    private static let leastDeviation = 0.02

    /// Takes the azimuth of a velocity against the board's forward direction. Unit: radians.
    mutating func add(azimuth: Double) {
        cosine = cosine * Self.fading + cos(azimuth)
        sine = sine * Self.fading + sin(azimuth)
        weight = weight * Self.fading + 1
    }

    /// Time over which the innovations of the constraint are averaged. Unit: seconds.
    private static let innovationSeconds = 2.0
    /// Mean square that refutes the mount: a slip is shorter, or smaller.
    private static let largestInnovationSquare = 6.0
    /// A single innovation counts at most this much: it takes a second of large ones to refute a mount.
    private static let largestSquare = 16.0

    /// Takes the normalised squared innovation of the constraint over a span of seconds, and discards a mount that
    /// disagrees with the motion: the board has been taken out or turned.
    mutating func note(innovationSquare square: Double, over span: Double) {
        let share = min(1, span / Self.innovationSeconds)
        innovationSquare += (min(Self.largestSquare, square) - innovationSquare) * share
        if innovationSquare > Self.largestInnovationSquare { self = VehicleMount() }
    }

    /// Azimuth of forward with its standard deviation; nil where the board turns within the vehicle. Unit: radians.
    package var forward: (azimuth: Double, deviation: Double)? {
        guard weight > Self.leastWeight else { return nil }
        let likeness = min(1, (cosine * cosine + sine * sine).squareRoot() / weight)
        // Mean resultant length of a wrapped normal distribution: R = exp(−σ²/2).
        let deviation = (-2 * log(max(1e-6, likeness))).squareRoot()
        guard deviation < Self.largestDeviation else { return nil }
        return (atan2(sine, cosine), max(Self.leastDeviation, deviation))
    }
}
