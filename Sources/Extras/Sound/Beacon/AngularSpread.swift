import Geometry

/// Makes the uncertainty of a direction audible: one source is in that direction, and a quieter source with its own
/// noise is on each side.
///
/// The outer sources are placed so that the distribution of power has the standard deviation of the direction. Their
/// noises are independent, so the correlation between the ears decreases with the distance between the sources. The
/// sound is then wide and blurred, while its middle stays the most probable direction.
package enum AngularSpread {
    /// Number of sources: one in the middle, one to the left and one to the right of it.
    package static let sources = 3
    /// The middle source's share of the power. With a share of a third, listeners would also hear an outer source
    /// separately.
    static let middleShare = 0.6
    /// Amplitude factor of the middle source; the powers of all three sources add up to 1.
    package static let middleAmplitude = middleShare.squareRoot()
    package static let outerAmplitude = ((1 - middleShare) / 2).squareRoot()
    /// Standard deviation below which the sources coincide, since listeners do not hear the blur. Unit: radians.
    static let sharp = 3 * Double.pi / 180

    /// Returns the standard deviation of the direction, which is that of the target's direction or of the newest yaw,
    /// whichever is larger; nil if either is unknown. Unit: radians.
    static func deviation(_ pose: BeaconPose, _ target: BeaconTarget) -> Double? {
        guard let placement = target.directionStandardDeviation, let yaw = pose.yawStandardDeviation else { return nil }
        return max(placement, yaw)
    }

    /// Returns the angle of the outer sources from the middle. Unit: radians.
    static func angle(ofDeviation deviation: Double) -> Double {
        deviation < sharp ? 0 : deviation / (1 - middleShare).squareRoot()
    }

    /// Returns the directions of the sources around the scene's vertical: the middle, then left and right of it.
    package static func directions(around middle: Vector3, angle: Double) -> (Vector3, Vector3, Vector3) {
        let left = Rotation3.about(Vector3(0, 1, 0), by: angle)
        return (middle, left * middle, left.inverse * middle)
    }
}
