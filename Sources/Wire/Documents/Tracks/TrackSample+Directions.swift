import Geometry

import Glibc

/// Horizontal speed and directions of a point.
extension TrackSample {
    /// Speed below which a course is mostly noise. Unit: m/s.
    private static let minimumCourseSpeed = 0.5
    /// Minimum length of the horizontal part of the unit line of sight for a heading, the same as in published poses:
    /// sin 3°.
    private static let minimumHorizontalSight = 0.0523

    /// Horizontal speed; nil if unknown. Unit: m/s.
    var groundSpeed: Double? {
        guard let east = velocityENU.east, let north = velocityENU.north else { return nil }
        return (east * east + north * north).squareRoot()
    }

    /// Direction of the velocity, clockwise from true north, in [0, 360); nil if unknown or slow. Unit: degrees.
    var courseDegrees: Double? {
        guard let east = velocityENU.east, let north = velocityENU.north, let groundSpeed,
            groundSpeed >= Self.minimumCourseSpeed
        else { return nil }
        return Self.direction(east, north)
    }

    /// Direction of the line of sight, clockwise from true north, in [0, 360); nil if unknown or nearly vertical.
    /// Unit: degrees.
    var headingDegrees: Double? {
        guard let sight = rotationENUFromBody.map({ $0 * Vector3(0, 0, -1) }),
            (sight.x * sight.x + sight.y * sight.y).squareRoot() > Self.minimumHorizontalSight
        else { return nil }
        return Self.direction(sight.x, sight.y)
    }

    private static func direction(_ east: Double, _ north: Double) -> Double {
        Angle.degrees(radians: Angle.positive(atan2(east, north)))
    }
}
