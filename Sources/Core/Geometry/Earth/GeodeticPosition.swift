import CGeographic

import Glibc

/// Geodetic position on WGS84.
///
/// Units: degrees and metres. The height is above the ellipsoid.
@frozen
public struct GeodeticPosition: Hashable, Sendable, Codable {
    /// Latitude, positive north. Unit: degrees.
    public var latitudeDegrees: Double
    /// Longitude, positive east. Unit: degrees.
    public var longitudeDegrees: Double
    /// Height above the ellipsoid. Unit: metres.
    public var ellipsoidalHeight: Double

    /// Position from its coordinates; nil for a latitude beyond ±90°, a longitude beyond ±540° or a value that is not
    /// finite.
    public init?(latitudeDegrees: Double, longitudeDegrees: Double, ellipsoidalHeight: Double) {
        guard latitudeDegrees.magnitude <= 90, longitudeDegrees.magnitude <= 540, ellipsoidalHeight.isFinite else {
            return nil
        }
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
        self.ellipsoidalHeight = ellipsoidalHeight
    }
}

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

    /// Geodesic between two positions; heights are ignored. Accurate to nanometres, even for antipodal positions.
    ///
    /// Source: Karney, "Algorithms for geodesics", 2013, as implemented in GeographicLib.
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

    /// Converts degrees in [−180, 180] to radians in [0, 2π).
    private static func fullCircle(degrees: Double) -> Double {
        let positive = degrees < 0 ? degrees + 360 : degrees
        // −1e-17° + 360° is rounded to 360°.
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

/// The WGS84 ellipsoid: its shape, rotation and normal gravity.
///
/// Source: NGA.STND.0036, "World Geodetic System 1984", 2014, tables 3.1 to 3.5 and chapter 4.
public enum Ellipsoid {
    /// Semi-major axis a. Unit: metres.
    public static let semiMajorAxis = 6_378_137.0
    /// Flattening f.
    public static let flattening = 1 / 298.257223563
    /// Square of the first eccentricity, e² = f·(2 − f).
    public static let squaredEccentricity = flattening * (2 - flattening)
    /// Angular rate of the earth relative to inertial space. Unit: rad/s.
    public static let rotationRate = 7.292115e-5
    /// Normal gravity on the ellipsoid at the equator. Unit: m/s².
    public static let equatorialGravity = 9.7803253359
    /// Constant `b·γp / (a·γe) − 1` of Somigliana's formula.
    static let gravityConstant = 0.00193185265241
    /// Ratio `m = ω²a²b / GM`.
    static let rotationRatio = 0.00344978650684

    /// Radius of curvature in the meridian, `M = a(1 − e²)/(1 − e²sin²φ)^{3/2}`. Units: latitude in radians, result in
    /// metres.
    public static func meridianRadius(latitude: Double) -> Double {
        let w = curvatureTerm(latitude)
        return semiMajorAxis * (1 - squaredEccentricity) / (w * w.squareRoot())
    }

    /// Radius of curvature in the prime vertical, `N = a/√(1 − e²sin²φ)`. Units: latitude in radians, result in metres.
    public static func primeVerticalRadius(latitude: Double) -> Double {
        semiMajorAxis / curvatureTerm(latitude).squareRoot()
    }

    /// Normal gravity: the magnitude of the sum of gravitation and centrifugal acceleration. Units: latitude in
    /// radians, height in metres, result in m/s².
    ///
    /// Accurate to 1 µm/s² up to 10 km. Source: Somigliana's formula (4-1) and the series in height (4-3).
    public static func normalGravity(latitude: Double, height: Double) -> Double {
        let sine = sin(latitude)
        let surface =
            equatorialGravity * (1 + gravityConstant * sine * sine) / curvatureTerm(latitude).squareRoot()
        let linear = 2 * (1 + flattening + rotationRatio - 2 * flattening * sine * sine)
        let ratio = height / semiMajorAxis
        return surface * (1 - linear * ratio + 3 * ratio * ratio)
    }

    private static func curvatureTerm(_ latitude: Double) -> Double {
        let sine = sin(latitude)
        return 1 - squaredEccentricity * sine * sine
    }
}
