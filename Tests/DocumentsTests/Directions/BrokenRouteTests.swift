import Documents
import Geometry
import JSON
import Scene
import TestTools
import Testing

@Suite("Broken routes")
struct BrokenRouteTests {
    private func problem(
        _ bytes: [UInt8], _ format: RouteFormat? = nil, precision: EncodedPolyline.Precision? = nil
    ) -> DocumentProblem? {
        do {
            _ = try RouteDocument.read(bytes, format: format, precision: precision, id: "walk")
            return nil
        } catch {
            return error
        }
    }

    private func problem(
        _ text: String, _ format: RouteFormat? = nil, precision: EncodedPolyline.Precision? = nil
    ) -> String {
        problem(Array(text.utf8), format, precision: precision)?.description ?? "none"
    }

    @Test(
        "behaviour 29: the message of a service that found no route is reported",
        arguments: [
            (
                #"{"code":"NoRoute","message":"Impossible route between points"}"#,
                "$.code: OSRM found no route: NoRoute (Impossible route between points)"
            ),
            (#"{"code":"InvalidQuery"}"#, "$.code: OSRM found no route: InvalidQuery"),
            (
                #"{"code":"NoRoute","message":"No route found","routes":[],"uuid":"x"}"#,
                "$.code: Mapbox found no route: NoRoute (No route found)"
            ),
            (#"{"message":"Not Authorized - No Token"}"#, "$: Mapbox answered: Not Authorized - No Token"),
            (
                #"{"error_code":171,"error":"No suitable edges near location","status_code":400,"status":"Bad Request"}"#,
                "$.error_code: Valhalla found no route: No suitable edges near location (error 171)"
            ),
            (
                #"{"trip":{"status":442,"status_message":"No path could be found for input","legs":[]}}"#,
                "$.trip.status: Valhalla found no route: No path could be found for input"
            ),
            (
                #"{"geocoded_waypoints":[],"routes":[],"status":"ZERO_RESULTS"}"#,
                "$.status: Google found no route: ZERO_RESULTS"
            ),
            (
                #"{"error_message":"This API key is not authorized","routes":[],"status":"REQUEST_DENIED"}"#,
                "$.status: Google found no route: REQUEST_DENIED (This API key is not authorized)"
            ),
            (
                #"{"error":{"code":403,"message":"Routes API has not been used","status":"PERMISSION_DENIED"}}"#,
                "$.error: Google found no route: PERMISSION_DENIED (Routes API has not been used)"
            ),
        ])
    func refusals(text: String, expected: String) {
        #expect(problem(text) == expected)
    }

    @Test(
        "behaviour 29: what is missing or of the wrong kind is named with its path",
        arguments: [
            (#"{"code":"Ok"}"#, "$: the member \"routes\" is missing"),
            (#"{"code":"Ok","routes":[]}"#, "$.routes: an empty array; at least one element is needed"),
            (#"{"code":"Ok","routes":{}}"#, "$.routes: an array is needed, not an object"),
            (#"{"code":"Ok","routes":[7]}"#, "$.routes[0]: an object is needed, not a number"),
            (#"{"code":"Ok","routes":[{"legs":[]}]}"#, "$.routes[0]: the member \"geometry\" is missing"),
            (
                #"{"code":"Ok","routes":[{"geometry":7}]}"#,
                "$.routes[0].geometry: a polyline or a GeoJSON LineString is needed, not a number"
            ),
            (#"{"code":"Ok","routes":[{"geometry":""}]}"#, "$.routes[0].geometry: an empty line"),
            (
                #"{"code":"Ok","routes":[{"geometry":"_p~iF~ps|U"}]}"#,
                "$.routes[0]: a route needs two different points; there is one"
            ),
            (
                #"{"code":"Ok","routes":[{"geometry":"_p~iF~ps|U","legs":[{"steps":[{"geometry":"_p~iF~ps|U"},{"geometry":"_p~i"}]}]}]}"#,
                "$.routes[0].legs[0].steps[1].geometry: character 4: the text ends inside of a number"
            ),
            (#"{"trip":{"legs":[{}]}}"#, "$.trip.legs[0]: the member \"shape\" is missing"),
            (
                #"{"trip":{"legs":[{"shape":"_izlhA~rlgdF_ibE_ibE","maneuvers":[{"type":1,"begin_shape_index":7}]}]}}"#,
                "$.trip.legs[0].maneuvers[0].begin_shape_index: 7 is none of the leg's 2 points"
            ),
            (
                #"{"trip":{"legs":[{"shape":"_izlhA~rlgdF_ibE_ibE","maneuvers":[{"type":"x","begin_shape_index":0}]}]}}"#,
                "$.trip.legs[0].maneuvers[0].type: a number is needed, not a string"
            ),
            (#"{"status":"OK","routes":[{}]}"#, "$.routes[0]: the member \"overview_polyline\" is missing"),
            (
                #"{"status":"OK","routes":[{"legs":[{"steps":[{"polyline":{"points":7}}]}]}]}"#,
                "$.routes[0].legs[0].steps[0].polyline.points: a string is needed, not a number"
            ),
            (
                #"{"routes":[{"polyline":{}}]}"#, "$.routes[0].polyline: the member \"encodedPolyline\" is missing"
            ),
            (
                #"{"routes":[{"polyline":{"encodedPolyline":"??_@_@"},"duration":"soon"}]}"#,
                "$.routes[0].duration: seconds such as \"754s\" are needed"
            ),
            (#"{"type":"LineString"}"#, "$: the member \"coordinates\" is missing"),
            (#"{"type":"LineString","coordinates":[]}"#, "$: a route needs two different points; there is none"),
            (
                #"{"type":"LineString","coordinates":[[1,2],[1,2],[1,2]]}"#,
                "$: a route needs two different points; there is one"
            ),
            (
                #"{"type":"LineString","coordinates":[[1,2],[3]]}"#,
                "$.coordinates[1]: a position needs a longitude and a latitude"
            ),
            (
                #"{"type":"LineString","coordinates":[[1,2],["3",4]]}"#,
                "$.coordinates[1][0]: a number is needed, not a string"
            ),
            (
                #"{"type":"LineString","coordinates":[[1,NaN]]}"#,
                "$.coordinates[0][0]: no value of JSON, at byte 39"
            ),
            (
                #"{"type":"LineString","coordinates":[[1,2],[52.5,93.4]]}"#,
                "$.coordinates[1]: a latitude of 93.4° is beyond 90°; longitude comes first in GeoJSON"
            ),
            (
                #"{"type":"LineString","coordinates":[[1,2],[1e300,3]]}"#,
                "$.coordinates[1]: a longitude of 1e+300° is beyond 360°"
            ),
            (
                #"{"type":"LineString","coordinates":[[1,2],[1,13.5]]}"#,
                "$.coordinates[1]: 1278 km from the point before it; more than 1000 km is no way to walk"
            ),
            (#"{"type":"Point","coordinates":[1,2]}"#, "$: there is no LineString and no MultiLineString in it"),
            (#"{"type":"Topology","arcs":[]}"#, "$.type: no type of GeoJSON: Topology"),
        ])
    func broken(text: String, expected: String) {
        #expect(problem(text) == expected)
    }

    @Test("behaviour 29: a line that begins elsewhere than its route has the wrong precision")
    func wrongPrecision() {
        #expect(
            problem(RouteSamples.osrm(.six), .osrm, precision: .five)
                == """
                $.routes[0].legs[0].steps[0].geometry: character 0: point 0 would lie at latitude 519.61°, longitude 76.25°, which is \
                nowhere: precision 5 is taken; is it 6?
                """)
        #expect(
            problem(RouteSamples.osrm(.five), .osrm, precision: .six)
                == """
                $.routes[0].geometry: the line begins 5238 km from where the route does: precision 6 is declared; try 5
                """)
        let swapped = RouteSamples.osrm().replacing("[7.625,51.961]", with: "[51.961,7.625]")
        #expect(problem(swapped).hasSuffix("is it encoded with precision 5 or 6, latitude first?"))
    }

    @Test(
        "behaviour 29: what is no route lists what is understood",
        arguments: ["{}", "[]", #"{"paths":[]}"#, "51.9, 7.6", #"{"message":"x","a":1,"b":2}"#])
    func unknown(text: String) {
        #expect(problem(text).contains("understood are responses of OSRM, Valhalla, Mapbox Directions"))
    }

    @Test("behaviour 29: an encoded polyline alone needs its precision")
    func undeclared() throws {
        #expect(
            problem(RouteSamples.encodedText)
                == "an encoded polyline, it seems; its precision has to be declared: polyline5 or polyline6")
        let declared = try RouteDocument.read(
            Array("\n\(RouteSamples.encodedText) \n".utf8), precision: .five, id: "walk")
        #expect(declared.vertices.count == 5)
        #expect(problem(RouteSamples.encodedText, .polyline5, precision: .six).contains("only one of them"))
        #expect(problem("", .polyline5) == "an empty document")
        #expect(problem(" \n\t") == "an empty document")
    }

    @Test("behaviour 29: documents are bounded in bytes, values, depth and points")
    func hostile() {
        let tooLong = [UInt8](repeating: 0x20, count: RouteDocument.maximumSize + 1)
        #expect(problem(tooLong)?.message == "larger than the limit of 16 MiB for a route")
        let manyValues =
            Array(#"{"type":"LineString","coordinates":["#.utf8)
            + Array(repeating: Array("0,".utf8), count: 5_000_000).joined() + Array("0]}".utf8)
        #expect(problem(manyValues)?.message.hasPrefix("more values than are taken") == true)
        let deep = Array(#"{"type":"LineString","coordinates":"#.utf8) + [UInt8](repeating: 0x5B, count: 100_000)
        #expect(problem(deep)?.message.hasPrefix("nested deeper than is taken") == true)
        // Brackets alone could be an encoded polyline.
        let brackets = [UInt8](repeating: 0x5B, count: 100_000)
        #expect(problem(brackets)?.message.hasPrefix("nested deeper than is taken") == true)
        let manyPoints = Array(repeating: "?A", count: RouteDocument.maximumVertexCount + 1).joined()
        #expect(problem(manyPoints, .polyline5) == "character 400000: more than 200000 points")
        let ten = Array(#"{"type":"LineString","x":""#.utf8) + [UInt8](repeating: 0x61, count: 10_000_000)
        #expect(problem(ten)?.description == "$.x: a string without an end, at byte 10000026")
        #expect(problem(ten + Array(#""}"#.utf8))?.description == "$: the member \"coordinates\" is missing")
    }

    /// The beginning of an encoded polyline is one, too.
    private static let ended = RouteSamples.all.indices.filter { RouteSamples.all[$0].format != .polyline5 }

    @Test("behaviour 29: a document cut off at any byte is refused", arguments: ended)
    func truncated(index: Int) {
        let (format, text) = RouteSamples.all[index]
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count { #expect(problem(Array(bytes[..<count]), format) != nil, "cut at \(count)") }
    }

    @Test("behaviour 29: a document with any bytes changed is read or refused by name", arguments: 0..<8)
    func mutated(index: Int) throws {
        let (format, text) = RouteSamples.all[index]
        let bytes = Array(text.utf8)
        var random = SplitMix(seed: UInt64(index))
        let spice = Array("{}[]\",:0-9eE.\\/<>&;tfn\u{0}\u{1E}\u{7F}".utf8) + [0x80, 0xC0, 0xED, 0xFF]
        for round in 0..<3000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed[place] = spice.randomElement(using: &random)!
                case 2: changed.remove(at: place)
                default: changed.insert(spice.randomElement(using: &random)!, at: place)
                }
            }
            do {
                let route = try RouteDocument.read(changed, format: round % 2 == 0 ? format : nil, id: "walk")
                #expect(route.vertices.count >= 2 && route.name.utf8.count <= RouteDocument.maximumNameLength)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
