import CGeographic

import Glibc

/// Local tangent plane at an origin: a Cartesian frame of east, north and up (ENU).
///
/// Conversions go through ECEF, so they are exact at any distance: a point of the ellipsoid 10 km away lies 7.8 m below
/// the plane.
public struct LocalTangentPlane: Sendable {
    /// Origin of the frame.
    public let origin: GeodeticPosition
    private let plane: Plane

    /// Makes the plane with the given origin.
    public init(origin: GeodeticPosition) {
        self.origin = origin
        plane = Plane(origin)
    }

    /// Converts a geodetic position to a point. Frame: ENU at the origin. Unit: metres.
    public func pointENU(of position: GeodeticPosition) -> Vector3 {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 3) { enu in
            geographic_plane_forward(
                plane.handle, position.latitudeDegrees, position.longitudeDegrees, position.ellipsoidalHeight,
                enu.baseAddress)
            return Vector3(enu[0], enu[1], enu[2])
        }
    }

    /// Converts a point to a geodetic position, the inverse of `pointENU(of:)`; nil if the point is not finite.
    ///
    /// Frame: ENU at the origin. Unit: metres.
    public func position(ofENU point: Vector3) -> GeodeticPosition? {
        guard point.isFinite else { return nil }
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 3) { geodetic in
            geographic_plane_reverse(plane.handle, point.x, point.y, point.z, geodetic.baseAddress)
            return GeodeticPosition(
                latitudeDegrees: geodetic[0], longitudeDegrees: geodetic[1], ellipsoidalHeight: geodetic[2])
        }
    }

    /// Owns the C library's object, which never changes after its creation.
    private final class Plane: Sendable {
        nonisolated(unsafe) let handle: OpaquePointer

        init(_ origin: GeodeticPosition) {
            let made = geographic_plane_create(
                origin.latitudeDegrees, origin.longitudeDegrees, origin.ellipsoidalHeight)
            guard let made else { fatalError("out of memory for a tangent plane") }
            handle = made
        }

        deinit { geographic_plane_destroy(handle) }
    }
}

/// Converts points near a centre to geodetic positions by a second-order series. If every inertial sample were
/// converted exactly, that would cost as much as the filter.
///
/// With the offset e, n, u from the centre, the distance `p = (N + h)·cosφ − n·sinφ + u·cosφ` from the earth's axis and
/// the radius of curvature M of the meridian:
///
///     λ′ = λ + e/p
///     n′ = n − e²/2p·sinφ,   u′ = u + e²/2p·cosφ,   a = n′/(M + h + u′)
///     φ′ = φ + a − a²·(dM/dφ)/2(M + h)
///     h′ = h + u′ + ½·a·n′
///
/// The truncation error is of third order: less than 1e-8 m within `range`.
public struct TangentPlaneChart: Sendable {
    /// Centre of the series. Frame: ENU of the plane. Unit: metres.
    package let center: Vector3
    /// Tangent plane of the chart; a saved chart is restored from it.
    package let plane: LocalTangentPlane
    private let position: GeodeticPosition
    /// Rotation from ENU at the plane's origin to ENU at the centre.
    private let rotation: Matrix<3, 3>
    private let sine: Double
    private let cosine: Double
    /// Radii M + h and (N + h)·cosφ. Unit: metres.
    private let meridianRadius: Double
    private let axisDistance: Double
    /// Coefficient `(dM/dφ)/2(M + h)`.
    private let meridianChange: Double

    /// Greatest distance from the centre at which the series is used. Unit: metres.
    public static let range = 10.0
    /// Latitude up to which the series is used. Unit: degrees.
    private static let maximumLatitude = 85.0

    /// Makes a chart around a point of the plane; nil near the poles, or if the point has no geodetic position.
    ///
    /// Frame of `point`: ENU of the plane. Unit: metres.
    public init?(_ plane: LocalTangentPlane, around point: Vector3) {
        guard let found = plane.position(ofENU: point), found.latitudeDegrees.magnitude < Self.maximumLatitude else {
            return nil
        }
        let latitude = Angle.radians(degrees: found.latitudeDegrees)
        center = point
        self.plane = plane
        position = found
        rotation = Self.axes(of: found) * Self.axes(of: plane.origin).transpose
        sine = sin(latitude)
        cosine = cos(latitude)
        let radius = Ellipsoid.meridianRadius(latitude: latitude)
        meridianRadius = radius + found.ellipsoidalHeight
        axisDistance = (Ellipsoid.primeVerticalRadius(latitude: latitude) + found.ellipsoidalHeight) * cosine
        // M = a(1 − e²)/(1 − e²sin²φ)^{3/2}.
        let square = Ellipsoid.squaredEccentricity
        meridianChange = 1.5 * radius * square * sine * cosine / ((1 - square * sine * sine) * meridianRadius)
    }

    /// Unit vectors east, north and up as rows. Frame: ECEF.
    private static func axes(of position: GeodeticPosition) -> Matrix<3, 3> {
        let latitude = Angle.radians(degrees: position.latitudeDegrees)
        let longitude = Angle.radians(degrees: position.longitudeDegrees)
        let outward = Vector3(cos(longitude), sin(longitude), 0)
        let pole = Vector3(0, 0, 1)
        return Matrix(
            pole.cross(outward), pole * cos(latitude) - outward * sin(latitude),
            outward * cos(latitude) + pole * sin(latitude))
    }

    /// Geodetic position of a point; nil beyond the range.
    ///
    /// Frame of `point`: ENU of the plane. Unit: metres.
    public func position(ofENU point: Vector3) -> GeodeticPosition? {
        let move = rotation * (point - center)
        guard move.squaredNorm <= Self.range * Self.range else { return nil }
        let turn = move.x / (axisDistance - move.y * sine + move.z * cosine)
        let bend = 0.5 * move.x * turn
        let north = move.y - bend * sine
        let up = move.z + bend * cosine
        let angle = north / (meridianRadius + up)
        let longitude = position.longitudeDegrees + Angle.degrees(radians: turn)
        return GeodeticPosition(
            latitudeDegrees: position.latitudeDegrees
                + Angle.degrees(radians: angle - angle * angle * meridianChange),
            longitudeDegrees: longitude.magnitude <= 180 ? longitude : remainder(longitude, 360),
            ellipsoidalHeight: position.ellipsoidalHeight + up + 0.5 * angle * north)
    }
}
