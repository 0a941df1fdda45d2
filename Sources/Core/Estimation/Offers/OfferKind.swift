/// Kind of measurement that other programs offer, as distinguished by the filter. Offers with the same time are applied
/// in the order of the cases; the raw values are stored in saved states.
package enum OfferKind: UInt8, Hashable, Sendable, Codable {
    /// Position of the board.
    case place
    /// Azimuth of a body direction relative to the azimuth of the sun.
    case direction
    /// Azimuth of a body direction to a known point.
    case landmark
    /// Distance to a known point.
    case range
    /// Height of the board.
    case height
    /// Azimuth of the line of sight.
    case heading
    /// Pose of a camera's odometry, represented by a `CameraPose` instead of a `LocalOffer`.
    case odometry
}
