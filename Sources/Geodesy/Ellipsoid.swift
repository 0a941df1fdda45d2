#if canImport(Glibc)
    import Glibc
#endif

/// The WGS84 ellipsoid: its shape, rotation and normal gravity.
///
/// Source: NGA.STND.0036, "World Geodetic System 1984", 2014, tables 3.1 to 3.5 and chapter 4.
public enum Ellipsoid {
    /// Semi-major axis a. Unit: metres.
    public static let semiMajorAxis = 6_378_137.0
    /// Flattening f.
    public static let flattening = 1 / 298.257223563
    /// Square of the first eccentricity, e² = f·(2 − f).
    public static let squaredEccentricity = flattening * (2 - flattening)
    /// Angular rate of the earth relative to inertial space. Unit: rad/s.
    public static let rotationRate = 7.292115e-5
    /// Normal gravity on the ellipsoid at the equator. Unit: m/s².
    public static let equatorialGravity = 9.7803253359
    /// Constant `b·γp / (a·γe) − 1` of Somigliana's formula.
    static let gravityConstant = 0.00193185265241
    /// Ratio `m = ω²a²b / GM`.
    static let rotationRatio = 0.00344978650684

    /// Radius of curvature in the meridian, `M = a(1 − e²)/(1 − e²sin²φ)^{3/2}`. Units: radians to metres.
    public static func meridianRadius(latitude: Double) -> Double {
        let w = curvatureTerm(latitude)
        return semiMajorAxis * (1 - squaredEccentricity) / (w * w.squareRoot())
    }

    /// Radius of curvature in the prime vertical, `N = a/√(1 − e²sin²φ)`. Units: radians to metres.
    public static func primeVerticalRadius(latitude: Double) -> Double {
        semiMajorAxis / curvatureTerm(latitude).squareRoot()
    }

    /// Normal gravity: magnitude of gravitation and centrifugal acceleration. Units: radians and metres to m/s².
    ///
    /// Accurate to 1 µm/s² up to 10 km. Source: Somigliana's formula (4-1) and the series in height (4-3).
    public static func normalGravity(latitude: Double, height: Double) -> Double {
        let sine = sin(latitude)
        let surface =
            equatorialGravity * (1 + gravityConstant * sine * sine) / curvatureTerm(latitude).squareRoot()
        let linear = 2 * (1 + flattening + rotationRatio - 2 * flattening * sine * sine)
        let ratio = height / semiMajorAxis
        return surface * (1 - linear * ratio + 3 * ratio * ratio)
    }

    private static func curvatureTerm(_ latitude: Double) -> Double {
        let sine = sin(latitude)
        return 1 - squaredEccentricity * sine * sine
    }
}
