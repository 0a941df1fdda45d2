import Geometry
import Glibc
import Testing

@Suite("The sun")
struct SolarPositionTests {
    private func sun(_ utc: Double, _ latitude: Double, _ longitude: Double) throws -> SolarPosition {
        let place = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
        return try #require(SolarPosition(utcSeconds: utc, at: place))
    }

    private func direction(_ elevation: Double, _ azimuth: Double) -> Vector3 {
        Vector3(cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation))
    }

    @Test("behaviour 46: elevation and azimuth within 0.02° of skyfield's from 1990 to 2053, from -80° to 80°")
    func table() throws {
        for row in SunTable.rows {
            let sun = try sun(row.utc, row.latitude, row.longitude)
            let elevation = Angle.degrees(radians: sun.elevation) - row.elevation
            // The nearer to the zenith, the less of the sky is a degree of azimuth.
            let azimuth = Angle.wrapped(sun.azimuth - Angle.radians(degrees: row.azimuth)) * cos(sun.elevation)
            #expect(elevation.magnitude < 0.02 && Angle.degrees(radians: azimuth.magnitude) < 0.02, "\(row)")
        }
    }

    /// Of astropy 8.0.2 (`get_body` by ERFA's own ephemeris, `AltAz` without pressure).
    @Test(
        "behaviour 46: and within 0.02° of astropy's until 2060, and at the poles",
        arguments: [
            (2_652_893_713, -15.3049, 73.8794, -55.2871, 188.8999),
            (2_734_679_061, -34.1580, -159.5833, -57.0053, 226.8973),
            (2_824_576_805, 48.9299, -80.2622, 43.8408, 253.4984),
            (2_846_140_870, -77.8500, 166.6700, -6.1755, 215.6971),
            (1_283_847_578, 89.9900, 0.0000, 6.0595, 125.3827), (769_370_031, -90.0000, 0.0000, -19.8315, 270.6477),
        ])
    func beyondTheTable(
        utc: Double, latitude: Double, longitude: Double, elevation: Double, azimuth: Double
    ) throws {
        let sun = try sun(utc, latitude, longitude)
        let expected = direction(Angle.radians(degrees: elevation), Angle.radians(degrees: azimuth))
        let off = (direction(sun.elevation, sun.azimuth) - expected).norm
        #expect(Angle.degrees(radians: off) < 0.02)
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

    @Test("a clock that is wrong by centuries gives no sun", arguments: [-1.0, 7_289_654_400, .infinity, .nan])
    func wrongClock(utc: Double) throws {
        let place = try #require(GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 0, ellipsoidalHeight: 0))
        #expect(SolarPosition(utcSeconds: utc, at: place) == nil)
    }
}
