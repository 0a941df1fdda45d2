import CGeographic
import Geometry

/// Local tangent plane at an origin: a Cartesian frame of east, north and up (ENU).
///
/// Conversions are exact, through ECEF, at any distance: a point 10 km away on the ellipsoid lies 7.8 m below the
/// plane.
public struct LocalTangentPlane: Sendable {
    /// Origin of the frame.
    public let origin: GeodeticPosition
    private let plane: Plane

    /// Plane at an origin.
    public init(origin: GeodeticPosition) {
        self.origin = origin
        plane = Plane(origin)
    }

    /// Point of a geodetic position. Frame: ENU at the origin. Unit: metres.
    public func pointENU(of position: GeodeticPosition) -> Vector3 {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 3) { enu in
            geographic_plane_forward(
                plane.handle, position.latitudeDegrees, position.longitudeDegrees, position.ellipsoidalHeight,
                enu.baseAddress)
            return Vector3(enu[0], enu[1], enu[2])
        }
    }

    /// Geodetic position of a point, the inverse of `pointENU(of:)`; nil if the point is not finite.
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

    /// Owner of the library's object, which is immutable.
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
