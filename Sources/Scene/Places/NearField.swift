import Geodesy
import Geometry

#if canImport(Glibc)
    import Glibc
#endif

/// Distances and bearings around one position, for hundreds of places in each composition.
///
/// By the radii of curvature M and N at the centre and the middle latitude φ:
///
///     e = N·cosφ·Δλ,   n = M·Δφ,   d = √(e² + n²),   β = atan2(e, n) − ½·Δλ·sinφ
///
/// That is true to 5 mm and 1e-6 rad within 2 km. Beyond, and near the poles, the geodesic is taken, which costs twenty times
/// as much.
package struct NearField {
    private let center: GeodeticPosition
    private let sine: Double
    private let cosine: Double
    /// Units: metres to a radian.
    private let meridianRadius: Double
    private let primeVerticalRadius: Double

    /// Unit: metres.
    package static let range = 2000.0
    /// Nearer to a pole the meridians bend too much. Unit: degrees.
    private static let largestLatitude = 80.0

    package init(around center: GeodeticPosition) {
        self.center = center
        let latitude = Angle.radians(degrees: center.latitudeDegrees)
        (sine, cosine) = (sin(latitude), cos(latitude))
        meridianRadius = Ellipsoid.meridianRadius(latitude: latitude)
        primeVerticalRadius = Ellipsoid.primeVerticalRadius(latitude: latitude)
    }

    /// Over ground. Unit: metres.
    package func distance(to place: GeodeticPosition) -> Double {
        guard let offset = offset(to: place) else { return Geodesic(from: center, to: place).distance }
        return (offset.east * offset.east + offset.north * offset.north).squareRoot()
    }

    /// Clockwise from true north, radians in [0, 2π); 0 at the very place.
    package func bearing(to place: GeodeticPosition) -> Double {
        guard let offset = offset(to: place) else { return Geodesic(from: center, to: place).bearing ?? 0 }
        guard offset.east != 0 || offset.north != 0 else { return 0 }
        return Angle.positive(atan2(offset.east, offset.north) - 0.5 * offset.turn * sine)
    }

    /// Metres, and the difference of longitudes in radians; nil where these sums do not hold.
    private func offset(to place: GeodeticPosition) -> (east: Double, north: Double, turn: Double)? {
        guard center.latitudeDegrees.magnitude < Self.largestLatitude else { return nil }
        let climb = Angle.radians(degrees: place.latitudeDegrees - center.latitudeDegrees)
        let turn = Angle.wrapped(Angle.radians(degrees: place.longitudeDegrees - center.longitudeDegrees))
        let north = meridianRadius * climb
        // The cosine of the middle latitude, to the first order.
        let east = primeVerticalRadius * (cosine - 0.5 * climb * sine) * turn
        return north * north + east * east < Self.range * Self.range ? (east, north, turn) : nil
    }
}
