import Documents
import JSON
import PlanMatching
import Testing

@Suite("Plans from OpenStreetMap")
struct OSMPlanTests {
    private typealias Samples = PlanSamples

    /// Corners of a square of some hundred metres, 1 to 4, and of a small one inside, 5 to 8.
    private static let nodes = """
        <osm version="0.6">
        <node id="1" lat="47.3" lon="8.5"/><node id="2" lat="47.3" lon="8.501"/>
        <node id="3" lat="47.301" lon="8.501"/><node id="4" lat="47.301" lon="8.5"/>
        <node id="5" lat="47.3002" lon="8.5002"/><node id="6" lat="47.3002" lon="8.5004"/>
        <node id="7" lat="47.3004" lon="8.5004"/><node id="8" lat="47.3004" lon="8.5002"/>

        """

    private func document(_ elements: String) -> String { Self.nodes + elements + "\n</osm>\n" }

    private func way(_ id: Int, _ nodes: [Int], _ tags: String...) -> String {
        "<way id=\"\(id)\">" + nodes.map { "<nd ref=\"\($0)\"/>" }.joined() + tags.map(tag).joined() + "</way>\n"
    }

    private func relation(_ members: [(Int, String)], _ tags: String...) -> String {
        "<relation id=\"9\">"
            + members.map { "<member type=\"way\" ref=\"\($0.0)\" role=\"\($0.1)\"/>" }.joined()
            + (["type=multipolygon"] + tags).map(tag).joined() + "</relation>\n"
    }

    private func tag(_ text: String) -> String {
        let parts = text.split(separator: "=")
        return "<tag k=\"\(parts[0])\" v=\"\(parts[1])\"/>"
    }

    private func outline(_ elements: String...) throws -> [String] {
        Samples.outline(try Samples.read(document(elements.joined())))
    }

    private func problem(_ elements: String...) -> String { Samples.problem(document(elements.joined())) }

    @Test("rooms, corridors, walls and ways by their tags, each on its levels")
    func ways() throws {
        let square = [1, 2, 3, 4, 1]
        let found = try outline(
            way(20, square, "indoor=corridor"), way(21, [5, 6, 7, 8, 5], "indoor=room", "level=1", "repeat_on=2-3"),
            way(22, [1, 2], "indoor=wall"), way(23, square, "indoor=wall"), way(24, square, "indoor=wall", "area=yes"),
            way(25, [1, 2], "highway=steps", "level=0;1"), way(26, [1, 2, 3], "highway=living_street"),
            way(27, square, "highway=pedestrian"), way(28, square, "highway=pedestrian", "area=yes"),
            way(29, square, "building=yes"), way(30, [1, 99], "highway=motorway"))
        #expect(
            found == [
                """
                0: floor area 4, wall line 2, wall line 5, wall area 4, stairs line 2, street line 3, path line 5, floor area 4
                """, "1: room area 4, stairs line 2", "2: room area 4", "3: room area 4",
            ])
    }

    @Test("doors and lifts are nodes; elements come in any order, and deleted ones are passed over")
    func nodes() throws {
        let found = try Samples.read(
            """
            <?xml version='1.0'?>
            <osm><way id='-5'><nd ref='-1'/><nd ref='-2'/><tag k='highway' v='footway'/></way>
            <node id='-1' lat='47.3' lon='8.5'><tag k='door' v='yes'/><tag k='level' v='-1'/></node>
            <node id='-2' lat='47.3' lon='8.501'><tag k='highway' v='elevator'/><tag k='level' v='-1;0'/></node>
            <node id='-3' lat='47.3' lon='8.5' action='delete'><tag k='door' v='yes'/></node>
            <way id='-6' visible='false'><nd ref='7'/><tag k='highway' v='footway'/></way></osm>
            """)
        #expect(Samples.outline(found) == ["-1: door point, stairs point", "0: stairs point, path line 2"])
        #expect(found.name == "hall")
    }

    @Test("the ways of a multipolygon are joined, in any order and direction, and holes go to their outer ring")
    func multipolygon() throws {
        let halves = way(20, [1, 2, 3]) + way(21, [1, 4, 3]) + way(22, [5, 6, 7, 8, 5])
        #expect(
            try outline(halves, relation([(22, "inner"), (20, "outer"), (21, ""), (20, "outer")], "indoor=area"))
                == ["0: floor area 4+4"])
        #expect(
            try outline(
                halves, way(23, [2, 6, 7, 2]),
                relation([(23, "outer"), (20, "outer"), (21, "outer"), (22, "inner")], "indoor=corridor", "level=2"))
                == ["2: floor area 3, floor area 4+4"])
        #expect(
            try outline(halves, relation([(20, "outer"), (21, "outer"), (22, "inner")], "indoor=wall"))
                == ["0: wall line 5, wall line 5"])
    }

    @Test("what is wrong is named by its line, and the element with it")
    func broken() {
        #expect(
            Samples.problem("<kml/>") == "line 1, column 1: no OpenStreetMap: its outermost element is 'kml', not 'osm'"
        )
        #expect(Samples.problem("<osm>") == "line 1, column 6: no XML: no element found")
        #expect(problem("").hasPrefix("nothing of a plan is in it"))
        #expect(Samples.problem("<osm>\n<node lat='1' lon='2'/>") == "line 2, column 1: the attribute id is missing")
        #expect(
            Samples.problem("<osm><way id='x'/>") == "line 1, column 6: id has to be a whole number, not 'x'")
        #expect(
            Samples.problem("<osm><node id='3' lat='1'/>") == "line 1, column 6 (node 3): the attribute lon is missing")
        #expect(
            Samples.problem("<osm><node id='3' lat='91' lon='1'/>")
                == "line 1, column 6 (node 3): lat has to be a number of degrees within ±90, not '91'")
        #expect(
            problem(way(20, [1, 99], "highway=path"))
                == "line 6, column 1 (way 20): its node 99 is not in the document; export complete ways")
        #expect(
            problem(way(20, [1, 2, 3], "indoor=room"))
                == "line 6, column 1 (way 20): a room has to be closed; its way ends elsewhere than it begins")
        #expect(
            problem(way(20, [1, 1], "highway=path"))
                == "line 6, column 1 (way 20): a line needs two different points; it has 1")
        #expect(
            problem("<node id='50' lat='48' lon='8.5'/>", way(20, [1, 50], "highway=path"))
                == """
                line 6, column 35 (way 20), node 50: the plan would be 77.8 km wide with this point; at most 5 km are taken
                """)
        #expect(
            problem(way(20, [1, 3, 2, 4, 1], "indoor=room"))
                == "line 6, column 1 (way 20): the border crosses itself at 47.3005000, 8.5005000")
    }

    @Test("a multipolygon that is incomplete or open is refused")
    func brokenMultipolygon() {
        let half = way(20, [1, 2, 3])
        #expect(
            problem(half, relation([(20, "outer"), (21, "outer")], "indoor=area"))
                == "line 7, column 1 (relation 9): its way 21 is not in the document; export complete relations")
        #expect(
            problem(half, relation([(20, "outer")], "indoor=area"))
                == "line 7, column 1 (relation 9): a ring of the multipolygon is open at node 3")
        #expect(
            problem(half, relation([], "indoor=area"))
                == "line 7, column 1 (relation 9): a multipolygon without an outer way")
    }

    @Test("a way of a hundred thousand nodes that a relation names a thousand times does no harm")
    func hostile() {
        let long = way(20, [Int](repeating: 1, count: 100_000) + [2])
        let members = (0..<1000).map { _ in (20, "outer") }
        #expect(problem(long, relation(members, "indoor=area")).hasSuffix("more than 65536 vertices in the plan"))
    }
}
