import Documents
import Geometry
import JSON
import Scene
import Testing

@Suite("The route that the daemon keeps")
struct RouteFeatureTests {
    private func position(_ latitude: Double, _ longitude: Double, _ height: Double = 0) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height))
    }

    @Test("reads back as it was, to the last bit")
    func roundTrip() throws {
        let kinds = RouteManeuver.Kind.allCases
        let route = Route(
            id: "a \"b\"\n", name: "Zum Brunnen ⛲",
            vertices: [
                try position(47.1, 8.1 / 3, 1.0 / 3), try position(-47.2, -179.99999999999997), try position(0, 0),
            ],
            maneuvers: try kinds.enumerated().map { index, kind in
                RouteManeuver(
                    position: try position(47, Double(index) / 7), kind: kind, angle: index % 2 == 0 ? 0.1 : nil,
                    text: index % 3 == 0 ? "Turn \\ left" : nil)
            }, duration: 1234.5)
        #expect(try RouteFeature.read(RouteFeature.bytes(route)) == route)
        let plain = Route(id: "r", name: "", vertices: [try position(1, 2), try position(3, 4)])
        #expect(try RouteFeature.read(RouteFeature.bytes(plain)) == plain)
    }

    @Test("behaviour 52: keeps the destination that it was asked for by, and what found it")
    func guidance() throws {
        let end = try position(47.001, 8)
        for finder in [
            RouteGuidance.Finder.straightLine, .navigator(service: nil), .navigator(service: "osrm+http://h"),
        ] {
            for (place, profile) in [(nil, nil), ("node/7", "foot")] as [(String?, String?)] {
                let destination = RouteDestination(
                    name: "Home", place: place, position: try position(47.0013, 8), profile: profile)
                let route = Route(
                    id: "r", name: "Home", vertices: [try position(47, 8), end],
                    guidance: RouteGuidance(destination: destination, finder: finder))
                let read = try RouteFeature.read(RouteFeature.bytes(route))
                #expect(read == route && read.destination == destination)
                #expect(abs(read.remainder - 33.35) < 0.1)
            }
        }
        let plain = Route(id: "r", name: "Home", vertices: [try position(47, 8), end])
        #expect(plain.destination == RouteDestination(name: "Home", position: end) && plain.remainder == 0)
    }

    @Test("is a GeoJSON document that reads as the same line")
    func geoJSON() throws {
        let route = Route(id: "r", name: "Home", vertices: [try position(47, 8, 400), try position(47.001, 8, 410)])
        let read = try RouteDocument.read(RouteFeature.bytes(route), id: "r")
        #expect(read.vertices == route.vertices && read.name == "Home")
    }

    @Test("the longest route can be kept")
    func longest() throws {
        let vertices = try (0..<RouteDocument.maximumVertexCount).map {
            try position(47 + Double($0) / 3e6, 8, 1.0 / 3)
        }
        let maneuvers = vertices.prefix(RouteDocument.maximumManeuverCount).map {
            RouteManeuver(position: $0, kind: .turn, angle: 1.0 / 3, text: String(repeating: "x", count: 500))
        }
        let route = Route(id: "r", name: "", vertices: vertices, maneuvers: Array(maneuvers), duration: 1)
        let bytes = RouteFeature.bytes(route)
        #expect(bytes.count < RouteFeature.maximumSize)
        #expect(try RouteFeature.read(bytes) == route)
    }

    @Test(
        "what is damaged is refused",
        arguments: [
            "", "{}", "[]", #"{"properties":{"id":"r","name":""},"geometry":{"type":"LineString","coordinates":[]}}"#,
            #"{"properties":{"id":"r","name":"","maneuvers":[{"kind":"jump","position":[8,47]}]},"#
                + #""geometry":{"type":"LineString","coordinates":[]}}"#,
            #"{"properties":{"id":"r","name":"","maneuvers":[],"destination":{"name":"x","position":[8,97]}},"#
                + #""geometry":{"type":"LineString","coordinates":[[8,47],[8,48]]}}"#,
            #"{"properties":{"id":"r","name":"","maneuvers":[]},"geometry":{"type":"LineString","coordinates":[[8,97]]}}"#,
        ])
    func damaged(text: String) {
        #expect(throws: DocumentProblem.self) { try RouteFeature.read(Array(text.utf8)) }
    }
}
