import Documents
import Geometry
import JSON
import Scene
import Testing

@Suite("Routes from documents")
struct RouteDocumentTests {
    private func read(
        _ text: String, _ format: RouteFormat? = nil, precision: EncodedPolyline.Precision? = nil, name: String? = nil
    ) throws(DocumentProblem) -> Route {
        try RouteDocument.read(Array(text.utf8), format: format, precision: precision, id: "walk", name: name)
    }

    private func isNear(_ a: [GeodeticPosition], _ b: [GeodeticPosition]) -> Bool {
        // Half a unit of five decimals.
        a.count == b.count
            && zip(a, b).allSatisfy {
                abs($0.latitudeDegrees - $1.latitudeDegrees) < 0.51e-5
                    && abs($0.longitudeDegrees - $1.longitudeDegrees) < 0.51e-5
            }
    }

    private func degrees(_ maneuver: RouteManeuver) -> Double? { maneuver.angle.map { ($0 * 180 / .pi).rounded() } }

    @Test("behaviour 29: every format gives the same line", arguments: RouteSamples.all.indices)
    func sameLine(index: Int) throws {
        let (format, text) = RouteSamples.all[index]
        let named = try read(text, format)
        #expect(isNear(named.vertices, RouteSamples.points))
        #expect(named.id == "walk")
    }

    /// The precision of an encoded polyline has to be declared.
    private static let withShape = RouteSamples.all.indices.filter { RouteSamples.all[$0].format != .polyline5 }

    @Test("behaviour 29: every format but polylines is recognised by its shape", arguments: withShape)
    func recognised(index: Int) throws {
        let (format, text) = RouteSamples.all[index]
        #expect(try read(text) == read(text, format))
    }

    @Test("behaviour 29: the example that everybody knows is a route, in both precisions")
    func knownExample() throws {
        let five = try read("_p~iF~ps|U_ulLnnqC_mqNvxq`@", .polyline5)
        let six = try read("_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI", .polyline6)
        #expect(isNear(five.vertices, six.vertices))
        #expect(five.vertices.map(\.latitudeDegrees) == [38.5, 40.7, 43.252])
        #expect(five.vertices.map(\.longitudeDegrees) == [-120.2, -120.95, -126.453])
    }

    @Test("behaviour 29: OSRM in polyline, polyline6 and GeoJSON, with maneuvers, time and destination")
    func osrm() throws {
        for precision in EncodedPolyline.Precision.allCases {
            let route = try read(RouteSamples.osrm(precision))
            #expect(isNear(route.vertices, RouteSamples.points))
            #expect(route.name == "Salzstraße" && route.duration == 241.5)
            #expect(route.maneuvers.map(\.kind) == [.depart, .turn, .turn, .arrive])
            #expect(route.maneuvers.map(degrees) == [nil, 81, -79, nil])
            #expect(route.maneuvers[1].position == RouteSamples.points[1])
        }
        #expect(
            try read(RouteSamples.osrm(.six), .osrm, precision: .six).vertices == read(RouteSamples.osrm(.six)).vertices
        )
        // A leg to a stop right at the start.
        let here = "\"\(RouteSamples.encoded(0...0))\""
        let stop = ["depart", "arrive"].map { type in
            RouteSamples.step(0...0, geometry: here, maneuver: "\"type\":\"\(type)\"")
        }
        let twoLegs = RouteSamples.osrm().replacing(
            "\"legs\":[", with: "\"legs\":[{\"steps\":[\(stop.joined(separator: ","))]},")
        #expect(try read(twoLegs).maneuvers.map(\.kind) == [.depart, .continue, .turn, .turn, .arrive])
    }

    @Test("behaviour 29: a simplified overview is taken only where the steps have no line")
    func overview() throws {
        let simplified = RouteSamples.osrm().replacing(
            "{\"geometry\":\"\(RouteSamples.encoded(0...4))\"", with: "{\"geometry\":\"\(RouteSamples.encoded(0...1))\""
        )
        #expect(isNear(try read(simplified).vertices, RouteSamples.points))
        let bare = """
            {"code":"Ok","routes":[{"geometry":"\(RouteSamples.encoded(0...4))","legs":[{"steps":[],"duration":9}],
            "duration":9}],"waypoints":[]}
            """
        #expect(isNear(try read(bare).vertices, RouteSamples.points))
    }

    @Test("behaviour 29: Mapbox with GeoJSON, instructions and banners")
    func mapbox() throws {
        let route = try read(RouteSamples.mapbox, .mapbox)
        #expect(route.name == "Stadttheater" && route.duration == 255.5)
        #expect(route.maneuvers.map(\.kind) == [.depart, .turn, .keep, .arrive])
        #expect(
            route.maneuvers.map(\.text)
                == ["Walk north.", "Turn right onto Salzstraße.", "Keep right", "You have arrived."])
        #expect(route.maneuvers.map(degrees) == [nil, 81, 40, nil])
    }

    @Test("behaviour 29: Valhalla with precision 6, and 5 where it was asked for")
    func valhalla() throws {
        for precision in EncodedPolyline.Precision.allCases {
            let route = try read(RouteSamples.valhalla(precision))
            #expect(isNear(route.vertices, RouteSamples.points))
            #expect(route.name == "Theatre" && route.duration == 251.5)
            #expect(route.maneuvers.map(\.kind) == [.depart, .turn, .keep, .arrive])
            #expect(route.maneuvers[1].text == "Turn right onto Salzstraße.")
            #expect(route.maneuvers.map(degrees) == [nil, 90, -40, nil])
        }
    }

    @Test("behaviour 43: the side of the destination, where the service reports it")
    func destinationSide() throws {
        let osrm = RouteSamples.osrm()
        let arrive = "\"type\":\"arrive\""
        #expect(osrm.contains(arrive))
        for (modifier, angle) in [("left", -90.0), ("right", 90), ("straight", 0)] {
            let reported = osrm.replacing(arrive, with: arrive + ",\"modifier\":\"\(modifier)\"")
            #expect(try read(reported).maneuvers.last.flatMap(degrees) == angle)
        }
        for (type, angle) in [(5, 90.0), (6, -90)] {
            let reported = RouteSamples.valhalla().replacing("{\"type\":4,", with: "{\"type\":\(type),")
            let arrival = try #require(try read(reported).maneuvers.last)
            #expect(arrival.kind == .arrive && degrees(arrival) == angle)
        }
        // As it is stored.
        let stored = try RouteFeature.read(
            RouteFeature.bytes(try read(osrm.replacing(arrive, with: arrive + ",\"modifier\":\"left\""))))
        #expect(stored.maneuvers.last.flatMap(degrees) == -90)
    }

    @Test("behaviour 29: Google Directions, its mark-up made plain text")
    func google() throws {
        let route = try read(RouteSamples.google)
        #expect(route.duration == 246 && route.name == "Neubrückenstraße 63, 48143 Münster")
        #expect(route.maneuvers.map(\.kind) == [.depart, .turn, .turn, .arrive])
        #expect(
            route.maneuvers.prefix(3).map(\.text)
                == ["Head north", "Turn right onto Salzstr.", "Turn left. Fish & chips on the left"])
    }

    @Test("behaviour 29: Google Routes, by steps, legs or the whole, encoded or as GeoJSON")
    func googleRoutes() throws {
        let route = try read(RouteSamples.googleRoutes)
        #expect(route.duration == 246.5 && route.name == "Salzstraße")
        #expect(route.maneuvers.map(\.kind) == [.depart, .turn, .turn, .arrive])
        #expect(route.maneuvers.map(degrees) == [nil, 90, -40, nil])
        let geometry = #"{"geoJsonLinestring":\#(RouteSamples.line(0...4))}"#
        for text in [#"{"routes":[{"polyline":\#(geometry)}]}"#, #"{"routes":[{"legs":[{"polyline":\#(geometry)}]}]}"#]
        {
            #expect(try read(text).vertices == RouteSamples.points)
        }
    }

    @Test(
        "behaviour 29: GeoJSON in its several wrappings, the first line of them",
        arguments: [
            #"{"type":"Feature","properties":{"name":"Walk"},"geometry":LINE}"#,
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}},{"type":"Feature","properties":{"name":"Walk"},"geometry":LINE}]}"#,
            #"{"type":"Feature","properties":{"name":"Walk"},"geometry":{"type":"GeometryCollection","geometries":[LINE]}}"#,
            #"{"type":"Feature","properties":{"name":"Walk"},"geometry":{"type":"MultiLineString","coordinates":[PART1,PART2]}}"#,
        ])
    func geoJSON(text: String) throws {
        func coordinates(_ range: ClosedRange<Int>) -> String {
            String(RouteSamples.line(range).drop { $0 != "[" }.dropLast())
        }
        let whole = text.replacing("LINE", with: RouteSamples.line(0...4))
            .replacing("PART1", with: coordinates(0...2)).replacing("PART2", with: coordinates(2...4))
        let route = try read(whole)
        #expect(route.vertices == RouteSamples.points && route.name == "Walk")
        #expect(try read(whole, name: "  To  the\ttheatre\n").name == "To the theatre")
    }

    @Test("behaviour 29: GeoJSON keeps heights, leaves out what repeats and walks over the antimeridian")
    func heights() throws {
        let route = try read(
            #"{"type":"LineString","coordinates":[[179.9999,0,12.5],[179.9999,0,12.5],[-179.9999,0],[-179.9998,0,3]]}"#)
        #expect(route.vertices.map(\.ellipsoidalHeight) == [12.5, 0, 3])
        #expect(route.name == "walk")
    }

    @Test("behaviour 29: a response's text is bounded and has no control characters")
    func text() throws {
        let long = String(repeating: "ü", count: 5000)
        let route = try read(
            RouteSamples.valhalla().replacing("Theatre", with: "a\\u0000\\u0007b\\u202e c" + long)
                .replacing("Turn right onto Salzstraße.", with: long))
        #expect(route.name.hasPrefix("a b cüü") && route.name.utf8.count <= RouteDocument.maximumNameLength)
        #expect(route.maneuvers[1].text!.utf8.count <= RouteDocument.maximumInstructionLength)
    }
}
