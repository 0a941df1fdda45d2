#if canImport(Glibc)
    import Glibc
#endif

/// The air below 11 km as the ICAO standard atmosphere has it.
///
/// Source: U.S. Standard Atmosphere, 1976, NOAA-S/T 76-1562, equation (33a); up to 32 km the same as ICAO Doc 7488.
public enum StandardAtmosphere {
    /// At the height zero. Units: hectopascal, kelvin.
    public static let seaLevelPressure = 1013.25
    public static let seaLevelTemperature = 288.15
    /// By which it is colder a metre further up. Unit: K/m.
    public static let lapseRate = 0.0065
    /// Of dry air. Unit: J/(kg·K).
    public static let gasConstant = 287.052_87
    /// Unit: m/s².
    public static let gravity = 9.80665

    /// R·β/g.
    private static let exponent = gasConstant * lapseRate / gravity

    /// The height at which the air has a pressure, `H = T₀/β·(1 − (p/p₀)^(R·β/g))`.
    ///
    /// Differences of it are those of real heights as far as the air is as warm as the standard has it: at 30 °C more
    /// or less they are a tenth off.
    ///
    /// Units: hectopascal, above zero; metres of geopotential height.
    public static func height(pressureHectopascal: Double) -> Double {
        seaLevelTemperature / lapseRate * (1 - pow(pressureHectopascal / seaLevelPressure, exponent))
    }
}
