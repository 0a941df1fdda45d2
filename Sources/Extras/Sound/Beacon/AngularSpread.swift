import Geometry

/// How the uncertainty of a direction is heard: one source at the direction, and a quieter one to each side of it with
/// a noise of its own.
///
/// The outer ones stand so far away that the power has the standard deviation of the direction itself. Noises are
/// independent, so that the two ears have the less in common, the wider the sources stand: the sound is wide and
/// blurred, and its middle stays the most probable direction.
public enum AngularSpread {
    /// Number of sources: the middle, left and right of it.
    public static let sources = 3
    /// Share of the power that the middle has. With a third, listeners would hear one of the outer ones as well as it.
    static let middleShare = 0.6
    /// Factor of the amplitude of the middle; the powers of all three add up to 1.
    public static let middleAmplitude = middleShare.squareRoot()
    /// Factor of the amplitude of each outer source.
    public static let outerAmplitude = ((1 - middleShare) / 2).squareRoot()
    /// Standard deviation below which the sources coincide: listeners do not hear the blur. Unit: radians.
    static let sharp = 3 * Double.pi / 180

    /// Standard deviation of the direction, by the scene and by the newest yaw; nil if unknown. Unit: radians.
    static func deviation(_ pose: BeaconPose, _ target: BeaconTarget) -> Double? {
        guard let placement = target.directionStandardDeviation, let yaw = pose.yawStandardDeviation else { return nil }
        return max(placement, yaw)
    }

    /// Angle of the outer sources from the middle. Unit: radians.
    static func angle(ofDeviation deviation: Double) -> Double {
        deviation < sharp ? 0 : deviation / (1 - middleShare).squareRoot()
    }

    /// Directions of the sources about the scene's vertical: the middle, then left and right of it.
    public static func directions(around middle: Vector3, angle: Double) -> (Vector3, Vector3, Vector3) {
        let left = Rotation3.about(Vector3(0, 1, 0), by: angle)
        return (middle, left * middle, left.inverse * middle)
    }
}
