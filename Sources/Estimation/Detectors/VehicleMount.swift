import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Azimuth of a vehicle's forward direction against the board's, learned from the receiver's velocities, and how steady
/// it is: a board on a dashboard keeps it to a degree, one on a head does not.
///
/// Equation: docs/filter.md (81).
package struct VehicleMount: Sendable {
    /// Faded sums of the unit vectors that were seen, and of their number.
    private var cosine = 0.0
    private var sine = 0.0
    private var weight = 0.0
    /// Fading mean of the squared innovations of the constraint, in deviations; 1 where the mount is right.
    private var innovationSquare = 1.0

    package init() {}

    /// Share of the sums that is kept at each fix: about forty fixes count.
    private static let fading = 0.975
    /// Number of fixes that are needed.
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

    /// Time over which the innovations of the constraint are averaged, and the mean square that refutes the mount: a slip
    /// is shorter, or smaller. Unit of the former: seconds.
    private static let innovationSeconds = 2.0
    private static let largestInnovationSquare = 6.0
    /// A single innovation counts at most this much: it takes a second of large ones to refute a mount.
    private static let largestSquare = 16.0

    /// Takes the squared innovation of the constraint against its variance, over a span of seconds, and forgets a mount that
    /// does not agree with the motion: the board has been taken out or turned.
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
