/// How high something is placed, and above what: heights by satellite jump by tens of metres, so that what has no need of
/// one is placed by the wearer.
///
/// Unit: metres.
public enum PlacementHeight: Hashable, Sendable {
    /// Above the wearer's eyes; 0 is the horizon.
    case eyeRelative(Double)
    /// Above the ground on which the wearer stands.
    case groundRelative(Double)
    /// Above the WGS84 ellipsoid.
    case ellipsoidal(Double)
    /// Above mean sea level.
    case meanSeaLevel(Double)

    public static let atEye = PlacementHeight.eyeRelative(0)
}
