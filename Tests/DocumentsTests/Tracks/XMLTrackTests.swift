import Testing
import Documents

@Suite("Tracks as GPX and KML")
struct XMLTrackTests {
    @Test("GPX has the height above mean sea level, the separation and UTC, in the order of its schema")
    func gpx() {
        let text = document(.gpx, [sample(0.25, utc: midsummer)])
        #expect(
            text.contains(
                "<trkpt lat=\"47.500000000\" lon=\"8.250000000\"><ele>402.750</ele><time>2026-06-21T00:00:00.250000Z</time>"
                    + "<geoidheight>47.500</geoidheight></trkpt>"))
    }

    @Test("GPX without a separation has no height, and without UTC no time")
    func unknown() {
        let text = document(.gpx, [sample(0, utc: nil, latitude: -90, longitude: -0.5, separation: nil)], hasUTC: false)
        #expect(text.contains("<trkpt lat=\"-90.000000000\" lon=\"-0.500000000\"></trkpt>"))
    }

    @Test("KML has all times of a track before its coordinates, and heights above the geoid")
    func kml() {
        let text = document(.kml, [sample(0, utc: midsummer), sample(1, utc: midsummer)])
        #expect(
            text.contains(
                """
                <gx:Track>
                <altitudeMode>absolute</altitudeMode>
                <when>2026-06-21T00:00:00.000000Z</when>
                <when>2026-06-21T00:00:01.000000Z</when>
                <gx:coord>8.250000000 47.500000000 402.750</gx:coord>
                <gx:coord>8.250000000 47.500000000 402.750</gx:coord>
                </gx:Track>
                """))
    }

    @Test("KML without a separation lies on the ground, and without times is a line, or a point")
    func kmlWithoutTimes() {
        let points = (0..<3).map { sample(Double($0), utc: nil, separation: nil) }
        let line = document(.kml, points, hasUTC: false)
        #expect(line.contains("<altitudeMode>clampToGround</altitudeMode>\n<coordinates>\n8.250000000,47.500000000\n"))
        #expect(line.contains("<LineString>") && !line.contains("<when>"))
        #expect(document(.kml, [points[0]], hasUTC: false).contains("<Point>"))
    }

    @Test("a KML line is cut where its heights become known")
    func mixedHeights() {
        let text = document(.kml, [sample(0, separation: nil), sample(1, separation: nil), sample(2), sample(3)])
        #expect(text.count(of: "absolute") == 1 && text.count(of: "clampToGround") == 1)
        #expect(text.count(of: "<when>") == 4)
    }

    @Test("a long line is continued from its last point on in another one")
    func pieces() {
        let points = (0..<25_000).map { sample(Double($0) / 100, utc: midsummer) }
        let text = document(.kml, points)
        #expect(text.count(of: "<gx:Track>") == 3 && text.count(of: "<gx:coord>") == 25_002)
        #expect(text.count(of: "<when>2026-06-21T00:01:39.990000Z</when>") == 2)
    }
}
