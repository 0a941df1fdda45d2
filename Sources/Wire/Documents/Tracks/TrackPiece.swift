/// Length at which a line is cut into pieces.
///
/// KML and GeoJSON need all times or properties of a line before or after all of its coordinates. A line of many points
/// is therefore continued in another line, which begins with the last point, so that writers hold only one piece.
enum TrackPiece {
    /// Maximum number of points: nearly three hours at 1 Hz, which take some megabytes.
    static let maximumCount = 10_000
}
