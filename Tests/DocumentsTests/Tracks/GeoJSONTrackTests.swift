import Geometry
import JSON
import Model
import Testing
import Documents

@Suite("Tracks as GeoJSON")
struct GeoJSONTrackTests {
    /// Longitude, latitude and what else there is, of each line.
    private func lines(_ text: String) throws -> [[[Double]]] {
        let root = try JSONReader.read(Array(text.utf8))
        return try root.member("features").elements.map { feature throws in
            #expect(try feature.member("geometry").member("type").string == "LineString")
            return try feature.member("geometry").member("coordinates").elements.map { position in
                position.elements.map { $0.number! }
            }
        }
    }

    @Test("a line has heights above the ellipsoid, times and accuracies")
    func line() throws {
        var point = sample(0, utc: midsummer)
        point.standardDeviation = TrackDeviation(horizontalAccuracy: 1.51, verticalAccuracy: nil)
        let text = document(.geojson, [point, sample(1, utc: midsummer, ellipsoidal: nil, separation: nil)])
        #expect(try lines(text) == [[[8.25, 47.5, 450.25], [8.25, 47.5]]])
        #expect(text.contains(#""coordTimes":["2026-06-21T00:00:00.000000Z","2026-06-21T00:00:01.000000Z"]"#))
        #expect(
            text.contains(#""horizontalAccuracy":[1.510,null]"#) && text.contains(#""verticalAccuracy":[null,null]"#))
        #expect(!document(.geojson, [point], hasUTC: false).contains("coordTimes"))
    }

    @Test("a part of one point is a point")
    func point() {
        #expect(document(.geojson, [sample(0)]).contains(#""geometry":{"type":"Point","coordinates":[8.25"#))
    }

    @Test(
        "a line is cut at the antimeridian, at the latitude, height and time between its points", arguments: [1.0, -1])
    func antimeridian(side: Double) throws {
        let points = [179.9, 179.98, -179.94, -179.9].enumerated().map {
            sample(
                Double($0) * 4, utc: midsummer, latitude: 10 + Double($0) * 4, longitude: side * $1,
                ellipsoidal: Double($0) * 40)
        }
        let text = document(.geojson, points)
        let found = try lines(text)
        #expect(
            found == [
                [[side * 179.9, 10, 0], [side * 179.98, 14, 40], [side * 180, 15, 50]],
                [[side * -180, 15, 50], [side * -179.94, 18, 80], [side * -179.9, 22, 120]],
            ])
        #expect(text.count(of: "2026-06-21T00:00:05.000000Z") == 2)
    }

    @Test("a point on the antimeridian itself, and one at a pole, need no division by zero")
    func limits() throws {
        let points = [180, -180, -179.9].map { sample(0, longitude: $0) } + [sample(1, latitude: 90, longitude: 0)]
        for position in try lines(document(.geojson, points)).joined() {
            #expect(position[0].magnitude <= 180 && position[1].magnitude <= 90)
        }
    }

    @Test("a long line is continued from its last point on in another feature")
    func pieces() throws {
        let points = (0..<20_001).map { sample(Double($0) / 10, latitude: Double($0) / 1000) }
        let found = try lines(document(.geojson, points))
        #expect(found.map(\.count) == [10_000, 10_000, 3])
        #expect(found[0].last == found[1].first && found[1].last == found[2].first)
    }
}
