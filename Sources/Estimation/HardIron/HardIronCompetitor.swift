import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// One hard iron on trial: how well it predicts the field from its own recent past.
///
/// Horizontal and upward intensity are predicted by their slow means, and the direction in the gyro frame by a faster
/// one. None of the three depends on the filter's yaw, to which the magnetometer has contributed; and the third was not
/// used in finding the proposal.
struct HardIronCompetitor: Sendable {
    /// Hard iron. Frame: body.
    let offset: Vector3
    private var horizontal = 0.0
    private var upward = 0.0
    /// East component of the mean horizontal field. Frame: gyro frame.
    private var east = 0.0
    /// North component of the mean horizontal field.
    private var north = 0.0
    private var count = 0.0
    private var directionCount = 0.0
    /// Sum of the squared innovations so far, each bounded against disturbances.
    private(set) var squares = 0.0

    init(offset: Vector3) { self.offset = offset }

    /// Discards the direction, because the gyro frame may have rotated unobserved.
    mutating func loseDirection() {
        (east, north, directionCount) = (0, 0, 0)
    }

    /// Adds the next mean field.
    ///
    /// Equations: docs/filter.md (70) to (73).
    ///
    /// - Parameter variance: squared scale of the distribution of the residuals.
    /// - Returns: the negative log-likelihood by Student's t-distribution, up to a constant.
    mutating func add(_ sample: LevelField, variance: Double, settings: EstimatorSettings.HardIron) -> Double {
        let f = sample.remainder(offset)
        let level = f.horizontalNorm
        let length = (east * east + north * north).squareRoot()
        let across = length > 0 ? (f.y * east - f.x * north) / length : 0
        let (r, s) = count > 0 ? (level - horizontal, f.z - upward) : (0, 0)
        let square = (r * r + s * s + across * across) / variance
        // What is unlikely hardly moves the means.
        let trust = settings.freedom / (settings.freedom + square)
        let slow = trust * max(settings.meanSeconds / settings.intensitySeconds, 1 / (count + 1))
        let quick = trust * max(settings.meanSeconds / settings.directionSeconds, 1 / (directionCount + 1))
        horizontal += (count > 0 ? slow : 1) * (level - horizontal)
        upward += (count > 0 ? slow : 1) * (f.z - upward)
        east += (directionCount > 0 ? quick : 1) * (f.x - east)
        north += (directionCount > 0 ? quick : 1) * (f.y - north)
        count += 1
        directionCount += 1
        squares += min(square * variance, Self.largestShare * Self.largestShare * f.squaredNorm) / 3
        return 0.5 * (settings.freedom + 3) * log1p(square / settings.freedom)
    }

    /// Largest residual that counts, in parts of the field.
    private static let largestShare = 0.1
}
