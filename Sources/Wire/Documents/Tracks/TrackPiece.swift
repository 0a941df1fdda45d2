/// Length at which a line is cut into pieces.
///
/// KML and GeoJSON want all times or properties of a line before or behind all of its coordinates. A line of many
/// points is therefore continued in another one, which begins with the last point: so the writers hold one piece.
enum TrackPiece {
    /// Number of points: nearly three hours at 1 Hz, and some megabytes.
    static let most = 10_000
}
