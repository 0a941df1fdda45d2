import Documents
import JSON
import Scene
import Testing

@Suite("Buildings of maps")
struct BuildingsDocumentTests {
    private static let nodes = """
        <osm version="0.6">
        <node id="1" lat="47.3" lon="8.5"/><node id="2" lat="47.3" lon="8.501"/>
        <node id="3" lat="47.301" lon="8.501"/><node id="4" lat="47.301" lon="8.5"/>
        <node id="5" lat="47.3002" lon="8.5002"/><node id="6" lat="47.3002" lon="8.5004"/>
        <node id="7" lat="47.3004" lon="8.5004"/><node id="8" lat="47.3004" lon="8.5002"/>

        """

    private func osm(_ elements: String...) throws(DocumentProblem) -> BuildingsDocument {
        try BuildingsDocument.read(Array((Self.nodes + elements.joined() + "</osm>").utf8))
    }

    private func way(_ id: Int, _ nodes: [Int], _ tags: [String: String]) -> String {
        "<way id=\"\(id)\">" + nodes.map { "<nd ref=\"\($0)\"/>" }.joined() + text(tags) + "</way>"
    }

    private func text(_ tags: [String: String]) -> String {
        tags.map { "<tag k=\"\($0)\" v='\($1.replacing("'", with: "&apos;"))'/>" }.joined()
    }

    private let square = [1, 2, 3, 4, 1]

    @Test(
        "a height is in metres, feet or storeys of 3 m; without one, and below the ground, a building is left out",
        arguments: [
            (["height": "12"], 12.0), (["height": "12.5 m"], 12.5), (["height": "40 ft"], 12.192),
            (["height": "7'6\""], 2.286), (["height": "20'"], 6.096), (["building:levels": "4"], 12),
            (["building:levels": "2", "roof:levels": "1"], 9), (["height": "high", "building:levels": "2"], 6),
            (["height": "8", "building:levels": "9"], 8), (["roof:levels": "1"], 3), ([:], nil), (["height": "?"], nil),
        ])
    func heights(tags: [String: String], height: Double?) throws {
        let document = try osm(way(7, square, tags.merging(["building": "yes"]) { $1 }))
        #expect(document.buildings.map(\.height) == (height.map { [$0] } ?? []))
        #expect(document.counts.withoutHeight == (height == nil ? 1 : 0) && document.counts.unusable == 0)
    }

    @Test("what is no building is passed over, and what cannot be one is counted")
    func others() throws {
        let height = ["height": "9"]
        func tagged(_ more: [String: String]) -> [String: String] { height.merging(more) { $1 } }
        let document = try osm(
            way(1, square, height), way(2, square, tagged(["building": "no"])),
            way(3, square, tagged(["building": "yes", "location": "underground"])),
            // Open, without a node, 3 km high.
            way(4, [1, 2, 3], tagged(["building": "yes"])), way(5, [1, 2, 99, 1], tagged(["building": "yes"])),
            way(6, square, ["building": "yes", "height": "3000"]), way(7, square, tagged(["building": "house"])))
        #expect(document.buildings.map(\.id) == [14])
        #expect(document.counts.withoutHeight == 0 && document.counts.unusable == 3)
    }

    @Test("a relation has the rings of its ways, a courtyard among them; an incomplete one is counted")
    func relations() throws {
        func relation(_ id: Int, _ ways: [(Int, String)]) -> String {
            "<relation id=\"\(id)\">"
                + ways.map { "<member type=\"way\" ref=\"\($0.0)\" role=\"\($0.1)\"/>" }.joined()
                + text(["type": "multipolygon", "building": "yes", "height": "15"]) + "</relation>"
        }
        let document = try osm(
            way(20, [1, 2, 3], [:]), way(21, [3, 4, 1], [:]), way(22, [5, 6, 7, 8, 5], [:]),
            relation(9, [(20, "outer"), (21, "outer"), (22, "inner")]), relation(10, [(20, "outer"), (99, "outer")]),
            relation(11, [(20, "outer")]))
        #expect(document.buildings.map(\.id) == [19] && document.counts.unusable == 2)
        #expect(document.buildings.first?.rings.map(\.count) == [4, 4])
        let corner = try #require(document.buildings.first?.rings.last).map { [$0.latitude, $0.longitude] }
        #expect(corner.contains([473_002_000, 85_004_000]))
    }

    @Test("relations that share a large way do not make more of a small document than is taken")
    func shared() {
        let corners = 4000
        let nodes = (1...corners).map { "<node id=\"\($0)\" lat=\"47.00\(1000 + $0)\" lon=\"8.000\($0 % 2)\"/>" }
            .joined()
        let way = "<way id=\"1\">" + (Array(1...corners) + [1]).map { "<nd ref=\"\($0)\"/>" }.joined() + "</way>"
        let tags = text(["type": "multipolygon", "building": "yes", "height": "15"])
        let relations = (1...300).map {
            "<relation id=\"\($0)\"><member type=\"way\" ref=\"1\" role=\"outer\"/>\(tags)</relation>"
        }
        let text = "<osm>" + nodes + way + relations.joined() + "</osm>"
        let problem = #expect(throws: DocumentProblem.self) { try BuildingsDocument.read(Array(text.utf8)) }
        #expect(problem?.description.contains("divide it") == true)
    }

    private func feature(_ geometry: String, _ properties: String, id: String = "\"way/12\"") -> String {
        "{\"type\":\"Feature\",\"id\":\(id),\"geometry\":\(geometry),\"properties\":\(properties)}"
    }

    private func geoJSON(_ features: String...) throws(DocumentProblem) -> BuildingsDocument {
        let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
        return try BuildingsDocument.read(Array(text.utf8))
    }

    private static let ring = "[[8,47],[8.001,47],[8.001,47.001],[8,47]]"

    @Test("GeoJSON has areas with tags; numbers are those of OpenStreetMap, else made of the corners, always the same")
    func features() throws {
        let polygon = "{\"type\":\"Polygon\",\"coordinates\":[\(Self.ring)]}"
        let several = "{\"type\":\"MultiPolygon\",\"coordinates\":[[\(Self.ring)],[\(Self.ring)]]}"
        let document = try geoJSON(
            feature(polygon, "{\"building\":\"yes\",\"height\":12.5}"),
            feature(several, "{\"building\":\"yes\",\"building:levels\":\"2\",\"@id\":\"relation/3\"}", id: "17"),
            feature(polygon, "{\"building\":\"yes\",\"height\":\"9 m\"}", id: "null"),
            feature("{\"type\":\"Point\",\"coordinates\":[8,47]}", "{\"building\":\"entrance\",\"height\":2}"),
            feature(polygon, "{\"height\":7}"), feature("null", "{\"building\":\"yes\"}"), feature(polygon, "null"))
        let found = document.buildings.sorted { $0.id < $1.id }
        #expect(found.map(\.height) == [9, 6, 12.5] && found.map(\.rings.count) == [1, 2, 1])
        let numbers = found.map(\.id)
        #expect(numbers[0] < 0 && numbers.suffix(2) == [7, 24])
        let again = try geoJSON(feature(polygon, "{\"building\":\"yes\",\"height\":8}", id: "5"))
        #expect(again.buildings.map(\.id) == [numbers[0]], "the number does not depend on the height")
    }

    @Test(
        "what is no map of buildings is refused with what is expected",
        arguments: [
            ("", "understood are"), ("name,height", "understood are"), ("{\"type\":\"Feature\"}", "FeatureCollection"),
            ("<gpx/>", "no OpenStreetMap"), ("<osm><node id=\"1\"/></osm>", "lat"), ("{\"type\":", "JSON"),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"building\":\"yes\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[8,97]]]}}]}",
                "latitude"
            ),
        ])
    func refused(text: String, words: String) throws {
        let problem = #expect(throws: DocumentProblem.self) { try BuildingsDocument.read(Array(text.utf8)) }
        #expect(problem?.description.contains(words) == true)
    }
}
