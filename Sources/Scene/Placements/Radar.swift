#if canImport(Glibc)
    import Glibc
#endif

/// Things around on a disc of radius 1 with the wearer in its middle, who looks up on it.
public enum Radar {
    /// `x = ρ·sin β′`, `y = ρ·cos β′` with β′ the bearing less the heading and `ρ = min(1, d/range)`: what is beyond the range
    /// lies on the rim.
    ///
    /// Units: bearing and heading radians, clockwise from true north; distance and range metres.
    public static func point(
        bearing: Double, heading: Double, distance: Double, range: Double
    ) -> (x: Double, y: Double) {
        guard distance > 0 else { return (0, 0) }
        let radius = distance < range ? distance / range : 1
        return (radius * sin(bearing - heading), radius * cos(bearing - heading))
    }
}
