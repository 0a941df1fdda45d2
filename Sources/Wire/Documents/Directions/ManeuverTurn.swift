import JSON

/// Typical angles of maneuvers that a service describes only by a modifier such as `slight left`.
///
/// Unit: radians, clockwise.
enum ManeuverTurn {
    static let slight = 40 * Double.pi / 180
    static let plain = 90 * Double.pi / 180
    static let sharp = 135 * Double.pi / 180
    static let uturn = 180 * Double.pi / 180

    /// Minimum angle of a bend that counts as a turn although the wearer stays on the same street.
    static let minimumAngle = 60 * Double.pi / 180

    /// Angle for a modifier of OSRM or Mapbox; nil if the modifier gives no direction.
    static func angle(modifier: JSONNode) -> Double? {
        if modifier.equals("straight") { return 0 }
        if modifier.equals("slight right") { return slight }
        if modifier.equals("right") { return plain }
        if modifier.equals("sharp right") { return sharp }
        if modifier.equals("uturn") { return uturn }
        if modifier.equals("sharp left") { return -sharp }
        if modifier.equals("left") { return -plain }
        if modifier.equals("slight left") { return -slight }
        return nil
    }
}
