/// Geodetic position on WGS84.
///
/// Units: degrees and metres. The height is above the ellipsoid.
@frozen
public struct GeodeticPosition: Hashable, Sendable {
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
