import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// One hard iron in the trial: how well it foretells the field from its own recent past.
///
/// Horizontal and upward intensity are foretold by their slow means, and the direction, in the level frame that only the
/// gyroscope turns, by a quicker one. None of the three knows the yaw of the filter, which the magnetometer in question has
/// had its part in; and the third had none in finding the proposal.
struct HardIronCompetitor: Sendable {
    /// Frame: body.
    let offset: Vector3
    private var horizontal = 0.0
    private var upward = 0.0
    /// Mean of the horizontal field. Frame: level.
    private var east = 0.0
    private var north = 0.0
    private var count = 0.0
    private var directionCount = 0.0
    /// Of all innovations so far, each cut off where it is that of a disturbance.
    private(set) var squares = 0.0

    init(offset: Vector3) { self.offset = offset }

    /// Nothing tells how the level frame has turned.
    mutating func loseDirection() {
        (east, north, directionCount) = (0, 0, 0)
    }

    /// Takes the next mean.
    ///
    /// Equations: docs/filter.md (70) to (73).
    ///
    /// - Parameter variance: of the residuals, the square of their distribution's scale.
    /// - Returns: how unlikely it was: the negative logarithm of Student's density, up to a constant.
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

    /// Of the field.
    private static let largestShare = 0.1
}
