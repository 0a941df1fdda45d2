import Glibc

/// ICAO standard atmosphere below 11 km.
///
/// Source: U.S. Standard Atmosphere, 1976, NOAA-S/T 76-1562, equation (33a); it agrees with ICAO Doc 7488 up to 32 km.
public enum StandardAtmosphere {
    /// Pressure at height zero. Unit: hectopascal.
    public static let seaLevelPressure = 1013.25
    /// Temperature at height zero. Unit: kelvin.
    public static let seaLevelTemperature = 288.15
    /// Temperature lapse rate. Unit: K/m.
    public static let lapseRate = 0.0065
    /// Specific gas constant of dry air. Unit: J/(kg·K).
    public static let gasConstant = 287.052_87
    /// Standard gravity. Unit: m/s².
    public static let gravity = 9.80665

    /// Exponent R·β/g.
    private static let exponent = gasConstant * lapseRate / gravity

    /// Height at which the standard atmosphere has the given pressure, `H = T₀/β·(1 − (p/p₀)^(R·β/g))`.
    ///
    /// Differences of these heights are correct only at the standard temperature: an error of 30 °C changes them by a
    /// tenth.
    ///
    /// Units: pressure in hectopascal, above zero; result in metres of geopotential height.
    public static func height(pressureHectopascal: Double) -> Double {
        seaLevelTemperature / lapseRate * (1 - pow(pressureHectopascal / seaLevelPressure, exponent))
    }
}
