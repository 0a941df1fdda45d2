import Geometry
import Model
import Testing
import Documents

@Suite("A track for other programs")
struct TrackExportTests {
    /// Times of the rows of a table.
    private func times(_ points: [TrackSample], rate: Double?) -> [Double] {
        document(.csv, points, rate: rate).split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: ",").first.flatMap { Double($0) }
        }
    }

    @Test("without a rate each point is written, also one without a position in a table")
    func allPoints() {
        let unknown = TrackSample(time: BootTime(nanoseconds: 5), utc: nil)
        #expect(times([sample(1), sample(1.001), unknown, sample(1.001)], rate: nil).count == 4)
        #expect(document(.gpx, [unknown, sample(1)]).count(of: "<trkpt") == 1)
    }

    @Test("a rate keeps the points nearest to its multiples, the first and the last among them")
    func thinning() {
        #expect(times((0...400).map { sample(10 + Double($0) / 200) }, rate: 1) == [10, 11, 12])
        #expect(times((0..<10).map { sample(Double($0)) }, rate: 0.5) == [0, 2, 4, 6, 8, 9])
        #expect(times([sample(0), sample(0.5), sample(7)], rate: 0.25) == [0, 7])
    }

    @Test("a receiver's fixes that waver around a second are all kept at 1 Hz")
    func wavering() {
        let fixes = [100, 100.996, 102.003, 102.997, 104.004, 105]
        #expect(times(fixes.map { sample($0) }, rate: 1) == fixes)
    }

    @Test("a clock that goes back loses no points, and begins another segment")
    func clockThatGoesBack() {
        let points = [50, 51, 52, 1, 2, 3].map { sample($0) }
        #expect(times(points, rate: 1) == [50, 51, 52, 1, 2, 3])
        #expect(document(.gpx, points).count(of: "<trkseg>") == 2)
    }

    @Test("a silence of more than ten seconds, or of three periods, ends a segment")
    func gaps() {
        let points = [0, 1, 11, 22, 23].map { sample($0) }
        #expect(document(.gpx, points).count(of: "<trkseg>") == 2)
        #expect(document(.kml, points).count(of: "<gx:Track>") == 2)
        #expect(document(.geojson, points).count(of: "\"Feature\"") == 2)
        #expect(
            document(.gpx, stride(from: 0, to: 100, by: 20).map { sample($0) }, rate: 0.05).count(of: "<trkseg>") == 1)
    }

    @Test("an empty track is an empty document", arguments: TrackFormat.allCases)
    func empty(_ format: TrackFormat) {
        let text = document(format, [])
        #expect(text.count(of: "trkpt") + text.count(of: "Placemark") + text.count(of: "\"Feature\"") == 0)
    }

    @Test("values that are not finite, or beyond all measure, are left out", arguments: TrackFormat.allCases)
    func notFinite(_ format: TrackFormat) {
        #expect(TrackPosition(latitudeDegrees: .nan, longitudeDegrees: 0) == nil)
        #expect(TrackPosition(latitudeDegrees: 0, longitudeDegrees: .infinity) == nil)
        #expect(TrackPosition(latitudeDegrees: 90.001, longitudeDegrees: 0) == nil)
        var point = sample(1, ellipsoidal: 1e300, seaLevel: -.infinity, separation: .nan)
        #expect(point.position?.ellipsoidalHeight == nil && point.position?.seaLevelHeight == nil)
        point.standardDeviation = TrackDeviation(east: .nan, north: -1, up: .infinity)
        #expect(point.standardDeviation == TrackDeviation())
        point.velocityENU = GNSSFix.VelocityENU(east: .nan, north: .infinity, up: .nan)
        let text = document(format, [point, sample(2)]).lowercased()
        #expect(!text.contains("nan") && !text.contains("inf,") && !text.contains("e+") && !text.contains("infinity"))
    }

    @Test("a longitude beyond 180° is written within it")
    func wrapped() {
        #expect(TrackPosition(latitudeDegrees: 0, longitudeDegrees: 181.5)?.longitudeDegrees == -178.5)
        #expect(TrackPosition(latitudeDegrees: 0, longitudeDegrees: -190)?.longitudeDegrees == 170)
        #expect(TrackPosition(latitudeDegrees: 0, longitudeDegrees: 180)?.longitudeDegrees == 180)
    }

    @Test("one height follows from the other by the geoid separation, and from nothing else")
    func heights() {
        let position = sample(0, ellipsoidal: nil, seaLevel: 400, separation: 47.5).position
        #expect(position?.ellipsoidalHeight == 447.5 && position?.geoidSeparation == 47.5)
        #expect(sample(0).position?.seaLevelHeight == 402.75)
        #expect(sample(0, separation: nil).position?.seaLevelHeight == nil)
    }

    @Test("the radius of 68 % of an accuracy is that of the deviations made of it")
    func accuracy() {
        let deviation = TrackDeviation(horizontalAccuracy: 3.02, verticalAccuracy: 4)
        #expect(abs(deviation.east! - 2) < 1e-12 && deviation.up == 4)
        #expect(abs(deviation.horizontalAccuracy! - 3.02) < 1e-12)
        #expect(TrackDeviation(east: 1, north: nil, up: nil).horizontalAccuracy == nil)
    }

    @Test("names have no effect on the form of a document")
    func names() {
        let hostile = "</name><x y=\"'&\u{0}\u{8}\u{FFFF}\n"
        for format in [TrackFormat.gpx, .kml] {
            let text = document(format, [sample(1)], name: hostile)
            #expect(text.contains("&lt;/name&gt;&lt;x y=&quot;'&amp;</name>"))
        }
        #expect(document(.geojson, [sample(1)], name: hostile).contains(#""</name><x y=\"'&\u0000\u0008"#))
    }
}
