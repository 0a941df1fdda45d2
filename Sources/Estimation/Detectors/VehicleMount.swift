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
