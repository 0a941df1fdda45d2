import Glibc

/// Position of the sun in the sky.
///
/// Accurate to 0.02° from 1990 to 2060: at 8000 random times the largest difference from skyfield was 0.012°.
/// Perturbations by the planets are left out, and UTC is used in place of UT1, from which it differs by up to 0.9 s.
public struct SolarPosition: Hashable, Sendable {
    /// Elevation of the sun's centre above the horizon, without refraction. Unit: radians.
    public let elevation: Double
    /// Azimuth clockwise from true north, radians in [0, 2π).
    public let azimuth: Double

    /// Position of the sun at a time; nil outside the years 1970 to 2200, since the clock must then be wrong.
    ///
    /// - Parameter utcSeconds: seconds since 1970-01-01 UTC.
    public init?(utcSeconds: Double, at position: GeodeticPosition) {
        // 2201-01-01.
        guard utcSeconds >= 0, utcSeconds < 7_289_654_400 else { return nil }
        let days = utcSeconds / 86400 + Self.daysToJ2000
        let sun = EclipticSun(centuries: (days + Self.terrestrialLead) / 36525)
        let latitude = Angle.radians(degrees: position.latitudeDegrees)
        let hourAngle = Angle.radians(
            degrees: Self.siderealDegrees(days: days, sun) + position.longitudeDegrees - sun.rightAscensionDegrees)
        let (inclined, equatorial) = (sin(sun.declination), cos(sun.declination))
        let east = -equatorial * sin(hourAngle)
        let north = inclined * cos(latitude) - equatorial * cos(hourAngle) * sin(latitude)
        let up = inclined * sin(latitude) + equatorial * cos(hourAngle) * cos(latitude)
        let level = hypot(east, north)
        // Correction for parallax: seen from the ground rather than from the earth's centre.
        elevation = atan2(up, level) - Self.parallax * level
        azimuth = Angle.positive(atan2(east, north))
    }

    /// Days from 2000-01-01 12:00 to 1970-01-01.
    private static let daysToJ2000 = -10957.5
    /// Difference between terrestrial time and UTC since 2017, 69.184 s; an error of a minute is negligible here. Unit:
    /// days.
    private static let terrestrialLead = 69.184 / 86400
    /// Horizontal parallax of the sun, 8.794″. Unit: radians.
    private static let parallax = 4.2635e-5

    /// Apparent sidereal time at Greenwich: equation (12.4) of Meeus, plus the nutation of the vernal equinox.
    private static func siderealDegrees(days: Double, _ sun: EclipticSun) -> Double {
        // Whole turns are removed, since large angles would cost digits of precision.
        let turns = 360 * (days - days.rounded(.down))
        return turns + 280.460_618_37 + 0.985_647_366_29 * days + sun.nutationDegrees * cos(sun.obliquity)
    }

    /// Elevation of the sun's centre with refraction at 1010 hPa and 10 °C. Unit: radians.
    ///
    /// Source: Sæmundsson, 1986, equation (16.4). The equation is not valid below −1°. There, the refraction at −1° is
    /// multiplied by tan(1°)/tan(−elevation), which falls to zero.
    public var apparentElevation: Double {
        let degrees = Angle.degrees(radians: elevation)
        let lowest = max(degrees, -1)
        let minutes = 1.02 / tan(Angle.radians(degrees: lowest + 10.3 / (lowest + 5.11)))
        let fading = degrees < -1 ? tan(Angle.radians(degrees: 1)) / tan(max(-elevation, 0)) : 1
        return elevation + Angle.radians(degrees: max(0, minutes * fading) / 60)
    }
}

/// Coordinates of the sun, computed from the ecliptic as in chapter 25 of Meeus, "Astronomical Algorithms".
private struct EclipticSun {
    /// Obliquity of the ecliptic of date, nutation included. Unit: radians.
    let obliquity: Double
    /// Declination. Unit: radians.
    let declination: Double
    let rightAscensionDegrees: Double
    /// Nutation in longitude.
    let nutationDegrees: Double

    /// - Parameter t: Julian centuries of terrestrial time since 2000-01-01 12:00.
    init(centuries t: Double) {
        // Equations (25.2), (25.3) and the equation of the centre.
        let meanLongitude = 280.46646 + t * (36000.76983 + t * 0.000_303_2)
        let anomaly = Angle.radians(degrees: 357.52911 + t * (35999.05029 - t * 0.000_153_7))
        let center =
            (1.914602 - t * (0.004817 + t * 0.000014)) * sin(anomaly)
            + (0.019993 - t * 0.000101) * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
        // Longitude of the moon's ascending node, which gives the largest term of the nutation. Below, 0.00569° is the
        // aberration.
        let node = Angle.radians(degrees: 125.04 - 1934.136 * t)
        nutationDegrees = -0.00478 * sin(node)
        let longitude = Angle.radians(degrees: meanLongitude + center - 0.00569 + nutationDegrees)
        // Equations (22.2) and (25.8).
        let mean = 23.439_291_1 - t * (0.013_004_2 + t * (0.000_000_16 - t * 0.000_000_504))
        obliquity = Angle.radians(degrees: mean + 0.00256 * cos(node))
        // Equations (25.6) and (25.7).
        rightAscensionDegrees = Angle.degrees(radians: atan2(cos(obliquity) * sin(longitude), cos(longitude)))
        declination = asin(sin(obliquity) * sin(longitude))
    }
}

/// Level of daylight, from the elevation of the sun.
public enum Daylight: UInt8, Hashable, Sendable {
    /// The sun's upper edge is above the horizon.
    case day
    /// The sun is below the horizon, but the sky is bright enough to read outdoors.
    case civilTwilight
    case night

    /// Elevation of the sun's centre at sunrise: 34′ of refraction and 16′ of radius. Unit: degrees.
    public static let riseDegrees = -0.8333
    /// Elevation of the sun's centre at the beginning and end of civil twilight. Unit: degrees.
    public static let dawnDegrees = -6.0
    /// Half-width of the hysteresis; the sun takes a minute or more to cross it. Unit: degrees.
    private static let marginDegrees = 0.25

    /// Level of daylight at an elevation of the sun, with hysteresis.
    ///
    /// - Parameters:
    ///   - elevation: elevation of the sun's centre without refraction. Unit: radians.
    ///   - before: previous level. It is kept until the sun has passed a bound by the margin, so that the level does
    ///     not flicker while the sun stays near a bound, as it does for hours near the poles.
    public static func of(elevation: Double, before: Daylight? = nil) -> Daylight {
        let degrees = Angle.degrees(radians: elevation)
        guard let before else { return at(degrees) }
        // Levels at the upper and the lower end of the margin.
        let (up, down) = (at(degrees + marginDegrees), at(degrees - marginDegrees))
        return (up.rawValue...down.rawValue).contains(before.rawValue) ? before : at(degrees)
    }

    private static func at(_ degrees: Double) -> Daylight {
        degrees > riseDegrees ? .day : degrees > dawnDegrees ? .civilTwilight : .night
    }
}
