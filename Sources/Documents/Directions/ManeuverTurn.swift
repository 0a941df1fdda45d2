import JSON

/// Angle of a maneuver from the words that services have for it; angles are what these words usually stand for.
///
/// Unit: radians, clockwise.
enum ManeuverTurn {
    static let slight = 40 * Double.pi / 180
    static let plain = 90 * Double.pi / 180
    static let sharp = 135 * Double.pi / 180
    static let uturn = 180 * Double.pi / 180

    /// Least angle of a maneuver that counts as a turn while it follows a street.
    static let least = 60 * Double.pi / 180

    /// Angle of a modifier of OSRM or Mapbox; nil for a word that says no direction.
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
