import Documents
import Geometry
import JSON
import Scene
import Testing

@Suite("GPX")
struct GPXTests {
    private func read(_ text: String) throws(DocumentProblem) -> Route {
        try RouteDocument.read(Array(text.utf8), format: .gpx, id: "walk")
    }

    private func problem(_ text: String) -> String {
        do {
            _ = try read(text)
            return "none"
        } catch {
            return error.description
        }
    }

    @Test("behaviour 29: the route of a GPX document, with heights where the geoid separation is given")
    func route() throws {
        let route = try read(RouteSamples.gpx)
        #expect(route.name == "To the theatre" && route.vertices.count == 5)
        #expect(route.vertices.map(\.ellipsoidalHeight) == [109, 0, 0, 0, 0])
    }

    @Test("behaviour 29: a track with all its segments, where there is no route")
    func track() throws {
        let route = try read(
            """
            <gpx version="1.0"><name>All</name><trk><trkseg><trkpt lat="+1.5" lon="2"/><trkpt lat="1.501" lon="2"/></trkseg>
            <trkseg><trkpt lat=" 1.502 " lon="2"><name>x</name></trkpt></trkseg></trk>
            <trk><trkseg><trkpt lat="5" lon="5"/></trkseg></trk></gpx>
            """)
        #expect(route.vertices.map(\.latitudeDegrees) == [1.5, 1.501, 1.502] && route.name == "All")
    }

    @Test(
        "behaviour 29: what is wrong with a GPX document is named with its line",
        arguments: [
            ("<gpx><rte><rtept lat='1'/></rte></gpx>", "line 1, column 11: the attribute lon is missing"),
            (
                "<gpx>\n<trk><trkseg><trkpt lat='91' lon='2'/>",
                "line 2, column 14: lat has to be a number of degrees within ±90, not '91'"
            ),
            (
                "<gpx><rte><rtept lat='nan' lon='2'/>",
                "line 1, column 11: lat has to be a number of degrees within ±90, not 'nan'"
            ),
            (
                "<gpx><rte><rtept lat='1' lon='2'><ele>high</ele>",
                "line 1, column 43: ele has to be a height in metres, not 'high'"
            ),
            (
                "<gpx><rte><rtept lat='1' lon='2'/><rtept lat='13' lon='2'/>",
                "line 1, column 35: 1334 km from the point before it; more than 1000 km is no way to walk"
            ),
            ("<gpx></gpx>", "there is no route (rte) and no track (trk) in it"),
            (
                "<gpx><wpt lat='1' lon='2'/></gpx>",
                "there is no route (rte) and no track (trk) in it; its 1 waypoints are places, not a way"
            ),
            ("<kml></kml>", "line 1, column 1: no GPX: its outermost element is kml"),
            ("<gpx><rte></gpx>", "line 1, column 13: no XML: mismatched tag"),
            ("<gpx>", "line 1, column 6: no XML: no element found"),
            (
                "<!DOCTYPE gpx [<!ENTITY a 'x'>]><gpx><rte><name>&a;</name></rte></gpx>",
                "line 1, column 15: document type declarations are not taken"
            ),
            ("<gpx><rte><name>&a;</name></rte></gpx>", "line 1, column 17: no XML: undefined entity"),
        ])
    func broken(text: String, expected: String) { #expect(problem(text) == expected) }

    @Test("behaviour 29: elements nested a hundred thousand deep, and names of megabytes, do no harm")
    func hostile() throws {
        let deep = "<gpx>" + String(repeating: "<a>", count: 100_000)
        #expect(problem(deep).hasSuffix("elements nested more than 64 deep"))
        let long = RouteSamples.gpx.replacing("To the theatre", with: String(repeating: "long ", count: 1_000_000))
        #expect(try read(long).name.utf8.count <= RouteDocument.maximumNameLength)
    }
}
