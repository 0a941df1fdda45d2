/// A position on WGS84.
///
/// Units: degrees and metres. The height is above the ellipsoid.
@frozen
public struct GeodeticPosition: Hashable, Sendable {
    public var latitudeDegrees: Double
    public var longitudeDegrees: Double
    public var ellipsoidalHeight: Double

    /// Nil for a latitude beyond ±90°, a longitude beyond ±540° or anything not finite.
    public init?(latitudeDegrees: Double, longitudeDegrees: Double, ellipsoidalHeight: Double) {
        guard latitudeDegrees.magnitude <= 90, longitudeDegrees.magnitude <= 540, ellipsoidalHeight.isFinite else {
            return nil
        }
        self.latitudeDegrees = latitudeDegrees
        self.longitudeDegrees = longitudeDegrees
        self.ellipsoidalHeight = ellipsoidalHeight
    }
}
