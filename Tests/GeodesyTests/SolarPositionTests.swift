import Geodesy
import Geometry
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The sun")
struct SolarPositionTests {
    /// UTC, latitude, longitude, elevation without an atmosphere, azimuth, at sea level or up to 2.9 km above.
    ///
    /// Of astropy 8.0.2 (`get_body` by ERFA's own ephemeris, `AltAz` without pressure): another theory of the sun and
    /// of the earth's rotation. NREL's SPA in pvlib 0.16.1 differs from it by at most 0.004°.
    static let references: [(Double, Double, Double, Double, Double)] = [
        (959215601, 48.2082, 16.3738, -16.1648, 27.9524), (2349114873, 69.6492, 18.9553, 7.4678, 321.3543),
        (802786249, -33.8688, 151.2093, -64.8458, 251.1927), (1612720415, 0.0000, -78.5000, 73.6690, 202.3718),
        (2846140870, -77.8500, 166.6700, -6.1755, 215.6971), (1283847578, 89.9900, 0.0000, 6.0595, 125.3827),
        (769370031, -90.0000, 0.0000, -19.8315, 270.6477), (761678224, 21.3069, -157.8583, 3.2026, 103.3101),
        (927262802, 64.1466, -21.9426, 3.8981, 49.5459), (2005902976, 23.4364, 90.0000, 18.7331, 283.7387),
        (1899549698, 19.8242, -160.3950, -58.3563, 61.7960), (1030246566, 4.1654, 168.4428, 47.9518, 281.5864),
        (2652893713, -15.3049, 73.8794, -55.2871, 188.8999), (1100943461, -5.1587, -153.2449, -64.5055, 191.5456),
        (1812567295, -10.1004, -58.8140, 34.8591, 307.3697), (2072476096, -52.0022, 34.1067, -38.4522, 138.7746),
        (2162876436, -5.9415, -33.8344, -20.9701, 69.4112), (1696985678, 40.9785, -106.6854, -4.6742, 264.9757),
        (1980422062, 74.1123, 77.9930, -6.7038, 277.8573), (1417024723, -65.3116, -77.7836, 44.6166, 340.0830),
        (1368004471, -20.1223, 90.4406, 28.3949, 303.7519), (2079435295, 33.0053, -111.7889, -14.6650, 105.0070),
        (1427850118, -48.8659, -179.6367, 35.2361, 341.7912), (730663886, 55.0854, -34.5005, 11.3550, 235.7414),
        (1638944225, 2.5552, 82.3481, 64.6697, 177.0947), (1395215438, -20.1623, -149.1149, -51.2865, 241.6880),
        (1832665363, -54.6359, -42.8137, 20.3567, 93.1458), (1270892610, 34.1783, -10.4464, 41.1614, 111.7697),
        (2265721989, 43.5077, 56.9067, -20.5003, 275.8405), (2253054469, -68.8496, -160.9766, -1.8970, 335.1439),
        (2824576805, 48.9299, -80.2622, 43.8408, 253.4984), (2302763815, 61.7921, -159.4783, -46.6351, 318.4574),
        (644490763, -0.6797, -74.2301, -23.8300, 65.6837), (2309221753, 59.8225, -61.8180, -32.0675, 327.3579),
        (2734679061, -34.1580, -159.5833, -57.0053, 226.8973), (2507147520, 65.1093, 75.8717, 4.5019, 39.6874),
        (952249165, 7.1649, 156.6300, -29.0534, 267.2537), (1520198669, -53.2935, 112.4960, -6.2999, 109.2547),
        (637194215, -72.5993, 148.5546, 12.5204, 60.1646), (2334061561, -72.2357, 18.8222, 32.2645, 295.5843),
    ]

    private func sun(_ utc: Double, _ latitude: Double, _ longitude: Double) throws -> SolarPosition {
        let place = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
        return try #require(SolarPosition(utcSeconds: utc, at: place))
    }

    private func direction(_ elevation: Double, _ azimuth: Double) -> Vector3 {
        Vector3(cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation))
    }

    @Test("behaviour 46: elevation and azimuth within 0.01° of an independent reckoning, 1990 to 2060")
    func references() throws {
        for (utc, latitude, longitude, elevation, azimuth) in Self.references {
            let sun = try sun(utc, latitude, longitude)
            let expected = direction(Angle.radians(degrees: elevation), Angle.radians(degrees: azimuth))
            let off = (direction(sun.elevation, sun.azimuth) - expected).norm
            #expect(Angle.degrees(radians: off) < 0.01)
        }
    }

    /// Of NREL's SPA in pvlib 0.16.1, at 1010 hPa and 10 °C: true and apparent, degrees.
    @Test(
        "behaviour 46: air lifts the sun by refraction",
        arguments: [
            (7.4677, 7.5845), (73.6688, 73.6738), (6.0594, 6.1982), (3.2022, 3.4211), (18.7323, 18.7812),
            (34.8581, 34.8822), (4.5022, 4.6764), (11.3550, 11.4351),
        ])
    func refraction(elevation: Double, apparent: Double) throws {
        // The same law by another author: 0.1′.
        let lifted = try apparentDegrees(near: elevation)
        #expect(abs(lifted.apparent - lifted.elevation - (apparent - elevation)) < 0.002)
    }

    /// The moment of a morning at which the sun stands so high.
    private func apparentDegrees(near elevation: Double) throws -> (elevation: Double, apparent: Double) {
        // From midnight to noon of 2025-06-21 near the tropic: all elevations.
        var (low, high) = (1_750_464_000.0, 1_750_464_000.0 + 43200)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            let isHigher = try sun(middle, 20, 0).elevation > Angle.radians(degrees: elevation)
            (low, high) = isHigher ? (low, middle) : (middle, high)
        }
        let sun = try sun(low, 20, 0)
        return (Angle.degrees(radians: sun.elevation), Angle.degrees(radians: sun.apparentElevation))
    }

    @Test(
        "goes on without a jump over the days, the years and all latitudes",
        arguments: [-90.0, -66, -20, 0, 48, 80, 90])
    func continuous(latitude: Double) throws {
        for year in [0.0, 20, 29.9999, 31, 60, 90, 150, 230] {
            var before: (SolarPosition, apparent: Double)?
            for step in 0..<3000 {
                let utc = year * 31_556_952 + Double(step) * 60
                let sun = try sun(utc, latitude, 100)
                let apparent = sun.apparentElevation
                #expect(apparent >= sun.elevation && apparent - sun.elevation < Angle.radians(degrees: 0.7))
                #expect((0..<2 * Double.pi).contains(sun.azimuth))
                if let before {
                    let moved =
                        (direction(sun.elevation, sun.azimuth) - direction(before.0.elevation, before.0.azimuth)).norm
                    // 15° an hour, at the most.
                    #expect(Angle.degrees(radians: moved) < 0.2512)
                    // Below −1° refraction grows by up to 0.65° a degree, to where it is as observed.
                    #expect(abs(Angle.degrees(radians: apparent - before.apparent)) < 0.2512 * 1.65)
                }
                before = (sun, apparent)
            }
        }
    }

    @Test("behaviour 46: polar day and polar night have no sunrise and are reported all the same")
    func polar() throws {
        let (june, december) = (1_750_485_600.0, 1_766_296_800.0)
        for hour in 0..<24 {
            let summer = try sun(june + Double(hour) * 3600, 78.2, 15.6)
            #expect(Daylight.of(elevation: summer.elevation) == .day)
            let winter = try sun(december + Double(hour) * 3600, 78.2, 15.6)
            #expect(Daylight.of(elevation: winter.elevation) == .night)
            #expect(try Daylight.of(elevation: sun(december + Double(hour) * 3600, -90, 0).elevation) == .day)
        }
    }

    @Test("behaviour 46: day begins with the sun's upper edge, night six degrees below the horizon")
    func bounds() {
        func light(_ degrees: Double, _ before: Daylight? = nil) -> Daylight {
            Daylight.of(elevation: Angle.radians(degrees: degrees), before: before)
        }
        #expect(light(-0.83) == .day && light(-0.84) == .civilTwilight)
        #expect(light(-5.99) == .civilTwilight && light(-6.01) == .night)
        #expect(light(-1.0, .day) == .day && light(-1.1, .day) == .civilTwilight)
        #expect(light(-0.6, .civilTwilight) == .civilTwilight && light(-0.5, .civilTwilight) == .day)
        #expect(light(-6.2, .civilTwilight) == .civilTwilight && light(-6.3, .civilTwilight) == .night)
        #expect(light(-5.8, .night) == .night && light(-5.7, .night) == .civilTwilight)
        #expect(light(40, .night) == .day && light(-40, .day) == .night)
        #expect(Daylight.isDay(elevation: 0) && !Daylight.isDay(elevation: -0.02))
    }

    @Test("behaviour 46: a whole year has two changes a day at the most, also where the sun grazes the horizon")
    func changes() throws {
        for latitude in [0.0, 48, 66.2, 67.4, 90] {
            var light: Daylight?
            var changes = 0
            for step in 0..<(365 * 96) {
                let utc = 1_735_689_600 + Double(step) * 900
                let next = try Daylight.of(elevation: sun(utc, latitude, 0).elevation, before: light)
                changes += light != nil && light != next ? 1 : 0
                light = next
            }
            // Day, twilight, night and back.
            #expect(changes <= 4 * 365 + 2)
            if latitude == 90 { #expect(changes == 4, "one day and one night") }
        }
    }

    @Test("both answers agree", arguments: [-7.0, -1.1, -1.05, -0.9, -0.8, -0.6, -0.5, 3])
    func agreement(degrees: Double) {
        let elevation = Angle.radians(degrees: degrees)
        #expect(Daylight.isDay(elevation: elevation) == (Daylight.of(elevation: elevation) == .day))
        for before in [Daylight.day, .civilTwilight] {
            let same = Daylight.isDay(elevation: elevation, wasDay: before == .day)
            #expect(same == (Daylight.of(elevation: elevation, before: before) == .day))
        }
    }

    @Test("a clock that is wrong by centuries gives no sun", arguments: [-1.0, 7_289_654_400, .infinity, .nan])
    func wrongClock(utc: Double) throws {
        let place = try #require(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0, ellipsoidalHeight: 0))
        #expect(SolarPosition(utcSeconds: utc, at: place) == nil)
    }
}
