import Geometry
import JSON
import Model
import Testing
import Documents

@Suite("Tracks as OGC Moving Features JSON")
struct MFJSONTrackTests {
    /// A feature as it is read: its instants, positions and temporal properties, after the standard's requirements.
    private struct Movement {
        var part: Double
        var times: [String]
        var positions: [[Double]]
        var properties: [String: [Double?]]
    }

    /// Features of a document, each of which has what requirements 2.6 to 2.8 and 2.22 to 2.27 ask for.
    private func movements(_ text: String) throws -> [Movement] {
        let root = try JSONReader.read(Array(text.utf8))
        #expect(try root.member("type").string == "FeatureCollection")
        return try root.member("features").elements.map { feature throws in
            #expect(try feature.member("type").string == "Feature")
            let geometry = try feature.member("temporalGeometry")
            #expect(try geometry.member("type").string == "MovingPoint")
            #expect(try geometry.member("interpolation").string == "Linear")
            let times = try geometry.member("datetimes").elements.map { try #require($0.string) }
            let positions = try geometry.member("coordinates").elements.map { $0.elements.map { $0.number! } }
            #expect(times.count == positions.count && times.count > 1)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "strictly increasing")
            #expect(positions.allSatisfy { $0.count == 2 })
            #expect(try feature.member("time").elements.map(\.string) == [times.first, times.last])
            return Movement(
                part: try #require(try feature.member("properties").member("part").number), times: times,
                positions: positions, properties: try properties(of: feature, at: times))
        }
    }

    /// Values of the temporal properties of a feature by their names; none where it has none.
    private func properties(of feature: JSONNode, at times: [String]) throws -> [String: [Double?]] {
        var properties: [String: [Double?]] = [:]
        guard let list = feature["temporalProperties"] else { return properties }
        let values = try list.first()
        #expect(try values.member("datetimes").elements.map(\.string) == times)
        for (node, property) in values.members {
            let name = try #require(node.string)
            guard name != "datetimes" else { continue }
            #expect(try property.member("type").string == "Measure")
            let form = try #require(try property.member("form").string)
            #expect(form.utf8.count == 3 || form.hasPrefix("http://"))
            #expect(["Linear", "Discrete"].contains(try property.member("interpolation").string))
            properties[name] = try property.member("values").elements.map(\.number)
            #expect(properties[name]?.count == times.count)
        }
        #expect(!properties.isEmpty)
        return properties
    }

    @Test("a movement has longitude and latitude, and height, accuracies, speed and directions for each instant")
    func movement() throws {
        var point = sample(0, utc: midsummer)
        point.standardDeviation = TrackDeviation(horizontalAccuracy: 1.51, verticalAccuracy: 3)
        point.velocityENU = GNSSFix.VelocityENU(east: -3, north: 4, up: nil)
        // Facing east: the body's x is south, y up and z west.
        point.rotationENUFromBody = Rotation3.exp(Vector3(0, 0, -.pi / 2)) * Rotation3.exp(Vector3(.pi / 2, 0, 0))
        point.yawAccuracyDegrees = 2.5
        let plain = sample(1, utc: midsummer, ellipsoidal: nil, separation: nil)
        let found = try #require(try movements(document(.mfJSON, [point, plain])).first)
        #expect(found.times == ["2026-06-21T00:00:00.000000Z", "2026-06-21T00:00:01.000000Z"])
        #expect(found.positions == [[8.25, 47.5], [8.25, 47.5]])
        #expect(
            found.properties == [
                "height": [450.25, nil], "horizontalAccuracy": [1.51, nil], "verticalAccuracy": [3, nil],
                "speed": [5, nil], "course": [323.13, nil], "heading": [90, nil], "headingAccuracy": [2.5, nil],
            ])
    }

    @Test("what is unknown throughout is left out, and so is the course of a wearer who stands")
    func unknown() throws {
        var points = (0..<2).map { sample(Double($0), utc: midsummer) }
        for index in points.indices {
            points[index].velocityENU = GNSSFix.VelocityENU(east: 0.1, north: 0.1, up: 0)
        }
        #expect(try movements(document(.mfJSON, points))[0].properties.keys.sorted() == ["height", "speed"])
        for index in points.indices {
            points[index] = sample(Double(index), utc: midsummer, ellipsoidal: nil, separation: nil)
        }
        #expect(!document(.mfJSON, points).contains("temporalProperties"))
    }

    @Test("a direction just west of north is 0 rather than 360")
    func north() throws {
        var points = (0..<2).map { sample(Double($0), utc: midsummer) }
        points[0].velocityENU = GNSSFix.VelocityENU(east: -1e-7, north: 5, up: 0)
        #expect(try movements(document(.mfJSON, points))[0].properties["course"] == [0, nil])
    }

    @Test("each part without a gap is a feature of its own, and none leads across the gap")
    func gaps() throws {
        let points = [0, 1, 2, 50, 51, 200, 300, 301].map { sample($0, utc: midsummer, latitude: $0 / 10) }
        let found = try movements(document(.mfJSON, points))
        #expect(found.map { $0.positions.map { $0[1] } } == [[0, 0.1, 0.2], [5, 5.1], [30, 30.1]])
        #expect(found.map(\.part) == [1, 2, 3])
    }

    @Test("of points at one time the first counts, and where UTC goes back another feature begins")
    func times() throws {
        let seconds = [0, 1, 1.0000004, 2, 3, 4.0]
        var points = seconds.map { sample($0, utc: midsummer, latitude: $0) }
        for index in 4..<6 { points[index].utc = midsummer + Int64(index - 3) * 500_000_000 }
        let found = try movements(document(.mfJSON, points))
        #expect(found.map { $0.positions.map { $0[1] } } == [[0, 1, 2], [3, 4]])
    }

    @Test("points without a position or UTC are left out")
    func incomplete() throws {
        var points = (0..<4).map { sample(Double($0), utc: midsummer) }
        points[1].position = nil
        points[2].utc = nil
        #expect(try movements(document(.mfJSON, points)).map(\.times.count) == [2])
        #expect(try movements(document(.mfJSON, [])).isEmpty)
    }

    @Test("a movement is cut at the antimeridian, at the latitude and time between its points", arguments: [1.0, -1])
    func antimeridian(side: Double) throws {
        let points = [179.9, 179.98, -179.94, -179.9].enumerated().map {
            sample(Double($0) * 4, utc: midsummer, latitude: 10 + Double($0) * 4, longitude: side * $1)
        }
        let found = try movements(document(.mfJSON, points))
        #expect(
            found.map(\.positions) == [
                [[side * 179.9, 10], [side * 179.98, 14], [side * 180, 15]],
                [[side * -180, 15], [side * -179.94, 18], [side * -179.9, 22]],
            ])
        #expect(found[0].times.last == "2026-06-21T00:00:05.000000Z" && found[1].times.first == found[0].times.last)
    }

    @Test("a long movement is continued from its last point on in another feature")
    func pieces() throws {
        let points = (0..<20_001).map { sample(Double($0) / 10, utc: midsummer, latitude: Double($0) / 1000) }
        let found = try movements(document(.mfJSON, points))
        #expect(found.map(\.positions.count) == [10_000, 10_000, 3])
        #expect(found[0].positions.last == found[1].positions.first && found[0].times.last == found[1].times.first)
    }

    @Test("a feature has the name of the track, whatever its letters, and where its positions are from")
    func properties() throws {
        let name = "a \"walk\" \\ \u{1}\n</script> Zürich"
        let points = (0..<2).map { sample(Double($0), utc: midsummer) }
        let root = try JSONReader.read(Array(document(.mfJSON, points, origin: .receiver, name: name).utf8))
        let properties = try root.member("features").first().member("properties")
        #expect(try properties.member("name").string == name)
        #expect(try properties.member("creator").string == "waymark 1")
        #expect(try properties.member("origin").string == "receiver")
        #expect(try root.member("crs").member("properties").member("name").string == "urn:ogc:def:crs:OGC:1.3:CRS84")
    }
}
