import Documents
import Foundation
import JSON
import PlanMatching
import Testing

@Suite("Plans from GeoJSON")
struct GeoJSONPlanTests {
    private typealias Samples = PlanSamples

    private func outline(_ features: String...) throws -> [String] {
        Samples.outline(try Samples.read(Samples.collection(features.joined(separator: ","))))
    }

    @Test("each kind has its geometries; parts of other kinds, without properties and without tags are passed over")
    func kinds() throws {
        let line = "[[8.5,47.3],[8.501,47.3]]"
        let plan = try Samples.read(
            Samples.collection(
                Samples.feature(
                    #""kind":"floor","level":"F1""#, "MultiPolygon", "[[\(Samples.square)],[\(Samples.square)]]"),
                Samples.feature(#""kind":"room","level":"F1""#, "Polygon", "[\(Samples.square)]"),
                Samples.feature(#""kind":"wall","level":"F1""#, "MultiLineString", "[\(line),\(line)]"),
                Samples.feature(#""kind":"wall","level":"F1""#, "Polygon", "[\(Samples.square)]"),
                Samples.feature(#""kind":"door","level":"F1""#, "Point", "[8.5,47.3,400]"),
                Samples.feature(#""kind":"door","level":"F1""#, "LineString", line),
                Samples.feature(#""kind":"stairs","level":"F1""#, "Point", "[8.5,47.3]"),
                Samples.feature(#""kind":"path","level":"F1""#, "LineString", line),
                Samples.feature(#""kind":"bench""#, "Point", "[8.5,47.3]"),
                Samples.feature(#""kind":7,"indoor":"room""#, "Polygon", "[\(Samples.square)]"),
                Samples.feature(#""amenity":"bench""#, "Nothing", "7"),
                #"{"type":"Feature","properties":null,"geometry":null}"#, name: "The hall"))
        #expect(
            Samples.outline(plan) == [
                """
                F1: floor area 4, floor area 4, room area 4, wall line 2, wall line 2, wall area 4, door point, door line 2, \
                stairs point, path line 2
                """
            ])
        #expect(plan.id == "hall" && plan.name == "The hall")
        #expect(plan.levels[0].features[6].shape == .point(PlanPoint(latitudeDegrees: 47.3, longitudeDegrees: 8.5)))
    }

    @Test("the name is the caller's, else the document's, else the id")
    func name() throws {
        let door = Samples.feature(#""kind":"door""#, "Point", "[8.5,47.3]")
        #expect(try Samples.read(Samples.collection(door)).name == "hall")
        #expect(try Samples.read(Samples.collection(door, name: "Old"), name: "New").name == "New")
        #expect(try Samples.read(Samples.collection(door, name: " two\\nlines ")).name == "two lines")
    }

    @Test(
        "levels are text or numbers, lists and ranges; without one it is level 0; the lowest comes first",
        arguments: [
            (#""level":"F2""#, ["F2"]), (#""level":1"#, ["1"]), (#""level":-1.5"#, ["-1.5"]), ("", ["0"]),
            (#""level":null"#, ["0"]), (#""level":" ; ""#, ["0"]), (#""level":"1;0;1.0""#, ["0", "1"]),
            (#""level":"0-2""#, ["0", "1", "2"]), (#""level":"-2--1""#, ["-2", "-1"]),
            (#""level":"1--1""#, ["-1", "0", "1"]),
            (#""level":"3;-1-0""#, ["-1", "0", "3"]), (#""level":"roof;G;UG""#, ["UG", "G", "roof"]),
            (#""level":"A-1""#, ["A-1"]),
        ])
    func levels(property: String, expected: [String]) throws {
        let properties = #""kind":"door""# + (property.isEmpty ? "" : "," + property)
        let plan = try Samples.read(Samples.collection(Samples.feature(properties, "Point", "[8.5,47.3]")))
        #expect(plan.levels.map(\.name) == expected)
    }

    @Test("levels have numbers by their names")
    func numbers() throws {
        let door = Samples.feature(#""kind":"door","level":"F2;B1;roof""#, "Point", "[8.5,47.3]")
        #expect(try Samples.read(Samples.collection(door)).levels.map(\.number) == [-1, 1, nil])
    }

    @Test(
        "tags of OpenStreetMap say what a part is, where there is no kind",
        arguments: [
            (#""indoor":"corridor""#, "Polygon", "floor area 4"), (#""indoor":"area""#, "LineString", "floor area 4"),
            (#""indoor":"room","kind":null"#, "Polygon", "room area 4"),
            (#""indoor":"wall""#, "Polygon", "wall line 5"),
            (#""indoor":"wall","area":"yes""#, "Polygon", "wall area 4"),
            (#""indoor":"wall""#, "LineString", "wall line 5"),
            (#""indoor":"room","stairs":"yes""#, "Polygon", "stairs area 4"),
            (#""highway":"elevator""#, "Polygon", "stairs area 4"),
            (#""highway":"footway""#, "LineString", "path line 5"),
            (#""highway":"pedestrian""#, "Polygon", "floor area 4"),
            (#""highway":"pedestrian","area":"yes""#, "LineString", "floor area 4"),
        ])
    func tags(properties: String, type: String, expected: String) throws {
        let coordinates = type == "Polygon" ? "[\(Samples.square)]" : Samples.square
        #expect(try outline(Samples.feature(properties, type, coordinates)) == ["0: " + expected])
    }

    @Test(
        "tags of points and open lines",
        arguments: [
            (#""door":"hinged""#, "Point", "0: door point"), (#""entrance":"main""#, "Point", "0: door point"),
            (#""highway":"elevator","level":"1""#, "Point", "1: stairs point"),
            (#""highway":"steps""#, "LineString", "0: path line 2"),
            (#""highway":"steps","level":"1""#, "LineString", "1: stairs line 2"),
            (#""highway":"steps","conveying":"yes""#, "LineString", "0: stairs line 2"),
            (#""highway":"footway","conveying":"forward""#, "LineString", "0: path line 2"),
            (#""indoor":"corridor","repeat_on":"2""#, "LineString", "2: path line 2"),
        ])
    func taggedLines(properties: String, type: String, expected: String) throws {
        let coordinates = type == "Point" ? "[8.5,47.3]" : "[[8.5,47.3],[8.501,47.3]]"
        #expect(try outline(Samples.feature(properties, type, coordinates)) == [expected])
    }

    @Test(
        "tags that are no part of a plan are passed over, whatever their geometry",
        arguments: [
            (#""door":"no""#, "Point", "[8.5,47.3]"), (#""indoor":"room""#, "Point", "[8.5,47.3]"),
            (#""highway":"motorway""#, "LineString", "7"), (#""building":"yes""#, "Polygon", "[]"),
            (#""indoor":"room""#, "MultiPoint", "7"),
        ])
    func passedOver(properties: String, type: String, coordinates: String) throws {
        let door = Samples.feature(#""kind":"door""#, "Point", "[8.5,47.3]")
        #expect(try outline(Samples.feature(properties, type, coordinates), door) == ["0: door point"])
    }

    @Test("closing points and repeated points are dropped; a ring may be left open")
    func rings() throws {
        let repeated = "[[8.5,47.3],[8.5,47.3],[8.501,47.3],[8.501,47.301],[8.501,47.301],[8.5,47.3],[8.5,47.3]]"
        let open = "[[8.5,47.3],[8.501,47.3],[8.501,47.301]]"
        let plan = try Samples.read(
            Samples.collection(Samples.feature(#""kind":"floor""#, "MultiPolygon", "[[\(repeated)],[\(open)]]")))
        #expect(Samples.outline(plan) == ["0: floor area 3, floor area 3"])
        #expect(plan.levels[0].features[0] == plan.levels[0].features[1])
    }

    @Test(
        "what is wrong is named by its path",
        arguments: [
            ("", "an empty document"),
            ("hello", "no plan; understood are a FeatureCollection of GeoJSON and the XML of OpenStreetMap"),
            (#"{"features":[]}"#, #"$: the member "type" is missing"#),
            (#"{"type":"Feature"}"#, "$.type: a plan is a FeatureCollection, and this is something else"),
            (#"{"type":"FeatureCollection"}"#, #"$: the member "features" is missing"#),
            (#"{"type":"FeatureCollection","features":[7]}"#, "$.features[0]: an object is needed, not a number"),
            (#"{"type":"FeatureCollection","features":[{"type":"Point"}]}"#, "$.features[0]: a Feature is needed"),
            (
                PlanSamples.collection(),
                """
                nothing of a plan is in it: neither a part with kind (floor, room, wall, door, stairs, path, street) nor one with tags \
                of OpenStreetMap such as indoor=room or highway=footway
                """
            ),
            (
                #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"door"},"geometry":null}]}"#,
                "$.features[0]: a door needs a geometry"
            ),
        ])
    func brokenDocument(text: String, expected: String) { #expect(Samples.problem(text) == expected) }

    @Test(
        "what is wrong with a part is named by its path",
        arguments: [
            (
                #""kind":"floor""#, "LineString", "[]",
                ".geometry: a floor needs a Polygon or a MultiPolygon, not 'LineString'"
            ),
            (
                #""kind":"path""#, "Point", "[]",
                ".geometry: a path needs a LineString or a MultiLineString, not 'Point'"
            ),
            (
                #""kind":"floor""#, "Polygon", "[]",
                ".geometry.coordinates: an empty array; at least one element is needed"
            ),
            (
                #""kind":"floor""#, "Polygon", "[[[8.5,47.3],[8.501,47.3],[8.5,47.3]]]",
                ".geometry.coordinates[0]: a ring needs at least three different points; it has 2"
            ),
            (
                #""kind":"path""#, "LineString", "[[8.5,47.3],[8.5,47.3]]",
                ".geometry.coordinates: a line needs two different points; it has 1"
            ),
            (
                #""kind":"door""#, "Point", "[8.5,97.3]",
                ".geometry.coordinates: a latitude of 97.3° is beyond 90°; longitude comes first in GeoJSON"
            ),
            (
                #""kind":"path""#, "LineString", "[[8.5,47.3],[8.5,null]]",
                ".geometry.coordinates[1][1]: a number is needed, not null"
            ),
            (
                #""kind":"path""#, "LineString", "[[8.5,47.3],[8.5,47.35]]",
                ".geometry.coordinates[1]: the plan would be 5.6 km wide with this point; at most 5 km are taken"
            ),
            (
                #""kind":"path""#, "LineString", "[[8.5,47.3],[-171.5,-47.3]]",
                ".geometry.coordinates[1]: the plan would be 12733.3 km wide with this point; at most 5 km are taken"
            ),
            (#""kind":"door","level":[1]"#, "Point", "[8.5,47.3]", ".properties.level: a level is a text or a number"),
            (
                #""kind":"door","level":1e9"#, "Point", "[8.5,47.3]",
                ".properties.level: a level of 1000000000.0 is beyond any"
            ),
            (
                #""kind":"door","level":"0-64""#, "Point", "[8.5,47.3]",
                ".properties.level: more than 64 levels for one part"
            ),
            (
                #""kind":"door","level":"-9223372036854775808-9223372036854775807""#, "Point", "[8.5,47.3]",
                ".properties.level: more than 64 levels for one part"
            ),
            (
                #""indoor":"room""#, "LineString", "[[8.5,47.3],[8.501,47.3]]",
                ".geometry: a room has to be closed; its line ends elsewhere than it begins"
            ),
        ])
    func brokenPart(properties: String, type: String, coordinates: String, expected: String) {
        let text = Samples.collection(Samples.feature(properties, type, coordinates))
        #expect(Samples.problem(text) == "$.features[0]" + expected)
    }

    @Test("borders that cross are refused with their latitude and longitude")
    func crossing() {
        let bowTie = "[[8.5,47.3],[8.502,47.302],[8.502,47.3],[8.5,47.302],[8.5,47.3]]"
        #expect(
            Samples.problem(Samples.collection(Samples.feature(#""kind":"room""#, "Polygon", "[\(bowTie)]")))
                == "$.features[0].geometry.coordinates: the border crosses itself at 47.3010000, 8.5010000")
        let hole = "[[8.5005,47.3005],[8.5015,47.3005],[8.5005,47.3006],[8.5005,47.3005]]"
        let text = Samples.collection(
            Samples.feature(#""kind":"room""#, "MultiPolygon", "[[\(Samples.square)],[\(Samples.square),\(hole)]]"))
        #expect(
            Samples.problem(text).hasPrefix(
                "$.features[0].geometry.coordinates[1]: the borders of two rings cross at 47.3005"))
    }

    @Test("the antimeridian may pass through a plan")
    func antimeridian() throws {
        let ring = "[[179.999,-17],[-179.999,-17],[-179.999,-16.999],[179.999,-16.999]]"
        #expect(try outline(Samples.feature(#""kind":"floor""#, "Polygon", "[\(ring)]")) == ["0: floor area 4"])
    }

    private static var examples: [URL] {
        let data =
            ProcessInfo.processInfo.environment["WAYMARK_DATA"].map { URL(filePath: $0) }
            ?? URL(filePath: FileManager.default.currentDirectoryPath).appending(path: "../shared/data")
        let folder = data.appending(path: "plans").standardizedFileURL
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "geojson" }.sorted { $0.path < $1.path }
    }

    @Test("plans of shopping centres are taken, and written and read again the same", arguments: examples)
    func shoppingCentres(file: URL) throws {
        let plan = try PlanDocument.read(Array(try Data(contentsOf: file)), id: "centre")
        #expect(plan.levels.count == 1 && plan.levels[0].number != nil && plan.levels[0].features.count > 100)
        #expect(try PlanDocument.read(PlanDocumentWriter.bytes(of: plan), id: "centre") == plan)
    }
}
