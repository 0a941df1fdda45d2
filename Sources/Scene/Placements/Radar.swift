#if canImport(Glibc)
    import Glibc
#endif

/// Radar display: a disc of radius 1 with the wearer at its centre and the heading upwards.
public enum Radar {
    /// Point `x = ρ·sin β′`, `y = ρ·cos β′` with β′ the bearing relative to the heading and `ρ = min(1, d/range)`:
    /// placements beyond the range are on the rim.
    ///
    /// Units: bearing and heading in radians, clockwise from true north; distance and range in metres.
    public static func point(
        bearing: Double, heading: Double, distance: Double, range: Double
    ) -> (x: Double, y: Double) {
        guard distance > 0 else { return (0, 0) }
        let radius = distance < range ? distance / range : 1
        return (radius * sin(bearing - heading), radius * cos(bearing - heading))
    }
}
