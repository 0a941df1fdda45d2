/// Height of a placement with its reference. GNSS heights jump by tens of metres, so a placement that does not need one
/// is placed relative to the wearer.
///
/// Unit: metres.
public enum PlacementHeight: Hashable, Sendable {
    /// Height above the wearer's eyes; 0 is the horizon.
    case eyeRelative(Double)
    /// Height above the ground on which the wearer stands.
    case groundRelative(Double)
    /// Height above the WGS84 ellipsoid.
    case ellipsoidal(Double)
    /// Height above mean sea level.
    case meanSeaLevel(Double)

    /// Height of the wearer's eyes.
    public static let atEye = PlacementHeight.eyeRelative(0)
}
