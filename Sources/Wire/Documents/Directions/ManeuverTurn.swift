import JSON

/// Angle of a maneuver from the modifier of a service, with the usual angle of each modifier.
///
/// Unit: radians, clockwise.
enum ManeuverTurn {
    static let slight = 40 * Double.pi / 180
    static let plain = 90 * Double.pi / 180
    static let sharp = 135 * Double.pi / 180
    static let uturn = 180 * Double.pi / 180

    /// Minimum angle at which following a street counts as a turn.
    static let minimumAngle = 60 * Double.pi / 180

    /// Angle of a modifier of OSRM or Mapbox; nil for a modifier without a direction.
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
