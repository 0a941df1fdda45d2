import CGeographic

/// Shortest line on the ellipsoid between two positions.
@frozen
public struct Geodesic: Hashable, Sendable {
    /// Length of the line. Unit: metres.
    public let distance: Double
    /// Bearing at the start, clockwise from true north, radians in [0, 2π); nil for coincident positions.
    public let bearing: Double?
    /// Bearing at the end in the direction of travel, clockwise from true north, radians in [0, 2π); nil for coincident
    /// positions.
    public let finalBearing: Double?

    /// Geodesic between two positions; heights are ignored. Accurate to nanometres, for antipodal positions too.
    ///
    /// Source: Karney, "Algorithms for geodesics", 2013, by GeographicLib.
    public init(from start: GeodeticPosition, to end: GeodeticPosition) {
        var result = (0.0, 0.0, 0.0)
        let solved = withUnsafeMutableBytes(of: &result) {
            geographic_inverse(
                start.latitudeDegrees, start.longitudeDegrees, end.latitudeDegrees, end.longitudeDegrees,
                $0.assumingMemoryBound(to: Double.self).baseAddress)
        }
        precondition(solved, "out of memory for a geodesic")
        distance = result.0
        bearing = result.0 > 0 ? Self.fullCircle(degrees: result.1) : nil
        finalBearing = result.0 > 0 ? Self.fullCircle(degrees: result.2) : nil
    }

    /// Degrees in [−180, 180] to radians in [0, 2π).
    private static func fullCircle(degrees: Double) -> Double {
        let positive = degrees < 0 ? degrees + 360 : degrees
        // −1e-17° + 360° rounds to 360°.
        return positive >= 360 ? 0 : positive * (.pi / 180)
    }
}

extension GeodeticPosition {
    /// Position at a bearing (radians, clockwise from true north) and a distance (metres) along the ellipsoid, at the
    /// same height.
    ///
    /// Nil for a bearing or distance that is not finite.
    public func destination(bearing: Double, distance: Double) -> GeodeticPosition? {
        guard bearing.isFinite, distance.isFinite else { return nil }
        var result = (0.0, 0.0, 0.0)
        let solved = withUnsafeMutableBytes(of: &result) {
            geographic_direct(
                latitudeDegrees, longitudeDegrees, bearing * (180 / .pi), distance,
                $0.assumingMemoryBound(to: Double.self).baseAddress)
        }
        precondition(solved, "out of memory for a geodesic")
        return GeodeticPosition(
            latitudeDegrees: result.0, longitudeDegrees: result.1, ellipsoidalHeight: ellipsoidalHeight)
    }
}
