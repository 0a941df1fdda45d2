import Geometry

/// Error of a published pose at one instant, with the accuracy that was published for it; nil is not known.
package struct TrackPoint: Hashable, Sendable {
    /// Time since the beginning of the recording. Unit: seconds.
    package var seconds: Double
    /// Distance travelled until then. Unit: metres.
    package var distance: Double
    /// Horizontal error of the position, east and north. Unit: metres.
    package var error: Vector2?
    /// Published 68 % radius. Unit: metres.
    package var radius: Double?
    /// Error of the height. Unit: metres.
    package var heightError: Double?
    /// Published 68 % half-width of the height. Unit: metres.
    package var heightAccuracy: Double?
    /// Error of the yaw, counter-clockwise. Unit: degrees.
    package var yawError: Double?
    /// Published 68 % half-width of the yaw. Unit: degrees.
    package var yawAccuracy: Double?
    /// Error of the vertical. Unit: degrees.
    package var tilt: Double?
    /// Published horizontal speed. Unit: m/s.
    package var speed: Double?

    /// A point of which nothing is known.
    package init(seconds: Double, distance: Double) {
        self.seconds = seconds
        self.distance = distance
    }
}

/// Errors of the poses of one walk, in order of time, and what the readings need to know of the walk.
package struct Track: Hashable, Sendable {
    /// Points at equal intervals.
    package var points: [TrackPoint]
    /// Intervals without fixes. Unit: seconds since the beginning.
    package var outages: [ClosedRange<Double>]
    /// Largest true horizontal speed. Unit: m/s.
    package var fastest: Double

    /// A track of points.
    package init(points: [TrackPoint], outages: [ClosedRange<Double>] = [], fastest: Double = 0) {
        self.points = points
        self.outages = outages
        self.fastest = fastest
    }
}
