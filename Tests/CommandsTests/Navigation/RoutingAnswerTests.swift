import Configuration
import Geometry
import Testing

import Commands

@Suite("What a routing service answers")
struct RoutingAnswerTests {
    private static let from = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 0)!
    private static let to = GeodeticPosition(latitudeDegrees: 47.001, longitudeDegrees: 8.002, ellipsoidalHeight: 0)!

    private func check(_ service: String, _ answer: HTTPAnswer) throws -> [UInt8] {
        try RoutingAnswer(service: RoutingService(service), from: Self.from, to: Self.to).checked(answer).document
    }

    private func osrm(_ line: String) -> [UInt8] {
        Array("{\"code\":\"Ok\",\"routes\":[{\"geometry\":{\"type\":\"LineString\",\"coordinates\":\(line)}}]}".utf8)
    }

    private func words(_ service: String, _ status: Int, _ body: String, type: String = "application/json") -> String {
        let answer = HTTPAnswer(status: status, contentType: type, body: Array(body.utf8))
        let problem = #expect(throws: RoutingProblem.self) { try check(service, answer) }
        return problem.map { "\($0)" } ?? ""
    }

    @Test("a route from here to there is handed on as it is")
    func good() throws {
        let body = osrm("[[8.0003,47.0002],[8.001,47],[8.002,47.001]]")
        #expect(try check("osrm", HTTPAnswer(status: 200, contentType: "application/json", body: body)) == body)
        #expect(try check("osrm", HTTPAnswer(status: 200, body: body)) == body)
    }

    @Test("behaviour 52: how far from the place a route ends is measured")
    func remainder() throws {
        let answer = HTTPAnswer(status: 200, body: osrm("[[8.0003,47.0002],[8.002,47.004]]"))
        let reader = try RoutingAnswer(service: RoutingService("osrm"), from: Self.from, to: Self.to)
        // 0.003° of latitude.
        #expect(abs(try reader.checked(answer).remainder - 333.5) < 0.1)
    }

    @Test("behaviour 52: a refusal is reported in the service's own words, whatever its HTTP status")
    func refusals() {
        let noRoute = "{\"code\":\"NoRoute\",\"message\":\"Impossible route between points\"}"
        for status in [200, 400] {
            #expect(words("osrm", status, noRoute).contains("NoRoute (Impossible route between points)"))
            #expect(
                words("valhalla", status, "{\"error_code\":442,\"error\":\"No path could be found for input\"}")
                    .contains("No path could be found for input (error 442)"))
        }
    }

    @Test("behaviour 52: what is no route is refused with what it is")
    func noRoutes() {
        #expect(words("osrm", 500, "<h1>Internal Server Error</h1>").contains("HTTP status 500"))
        #expect(words("osrm", 404, "{\"message\":1}").contains("HTTP status 404"))
        #expect(words("osrm", 200, "<html>", type: "text/html").contains("'text/html' instead of JSON"))
        #expect(words("osrm", 200, "{\"code\":\"Ok\",").contains("not understood"))
        #expect(words("osrm", 200, "").contains("not understood"))
        #expect(words("valhalla", 200, "{\"code\":\"Ok\",\"routes\":[]}").contains("not understood"))
        #expect(words("osrm", 200, "{\"code\":\"Ok\",\"routes\":[]}").contains("not understood"))
    }

    @Test("behaviour 52: an answer that is redirected, or compressed without a request for it, is not followed")
    func forms() {
        let redirect = HTTPAnswer(status: 302, location: "http://elsewhere.example/", body: [])
        #expect(throws: RoutingProblem.redirected(try! RoutingService("osrm"), to: "http://elsewhere.example/")) {
            try check("osrm", redirect)
        }
        #expect(words("osrm", 304, "").contains("HTTP status 304"), "one that names no other place leads nowhere")
        let packed = HTTPAnswer(
            status: 200, contentType: "application/json", contentEncoding: "gzip", body: [0x1F, 0x8B])
        #expect(throws: RoutingProblem.notJSON(try! RoutingService("osrm"), type: "gzip")) {
            try check("osrm", packed)
        }
    }

    @Test(
        "a service that is looked at may know no way, but has to be one and to take the question",
        arguments: [
            ("osrm", 200, "{\"code\":\"Ok\",\"routes\":[]}", nil), ("osrm", 400, "{\"code\":\"NoSegment\"}", nil),
            ("osrm", 400, "{\"code\":\"InvalidUrl\",\"message\":\"malformed\"}", "InvalidUrl (malformed)"),
            ("osrm", 404, "{\"error_code\":106,\"error\":\"Try any of\"}", "HTTP status 404"),
            ("osrm", 200, "{\"message\":\"no token\"}", "no token"), ("osrm", 200, "{}", "no answer of an OSRM"),
            ("osrm", 200, "{\"code\":5}", "OSRM found no route"), ("osrm", 200, "<h1>", "no answer of an OSRM"),
            ("osrm", 502, "<h1>Bad Gateway</h1>", "HTTP status 502"), ("osrm", 304, "", "HTTP status 304"),
            ("valhalla", 200, "{\"trip\":{}}", nil), ("valhalla", 400, "{\"error_code\":171,\"error\":\"none\"}", nil),
            ("valhalla", 400, "{\"error_code\":125,\"error\":\"No costing\"}", "No costing (error 125)"),
            ("valhalla", 400, "{\"code\":\"InvalidUrl\"}", "HTTP status 400"),
            ("valhalla", 200, "[]", "no answer of a Valhalla"),
        ] as [(String, Int, String, String?)])
    func services(service: String, status: Int, body: String, words: String?) throws {
        let answer = RoutingAnswer(service: try RoutingService(service), from: Self.from, to: Self.to)
        var said: String?
        do throws(RoutingProblem) {
            try answer.checkService(
                HTTPAnswer(status: status, contentType: "application/json", body: Array(body.utf8)))
        } catch {
            said = "\(error)"
        }
        #expect(said == nil ? words == nil : words.map { said?.contains($0) == true } == true, "\(said ?? "nothing")")
    }

    @Test("behaviour 52: a route from or to elsewhere is refused")
    func elsewhere() {
        let far = "[[8,47],[8.5,47.001]]"
        let problem = #expect(throws: RoutingProblem.self) {
            try check("osrm", HTTPAnswer(status: 200, body: osrm(far)))
        }
        #expect(problem.map { "\($0)" }?.contains("ends 37") == true)
        let wrongStart = #expect(throws: RoutingProblem.self) {
            try check("osrm", HTTPAnswer(status: 200, body: osrm("[[8.5,47],[8.002,47.001]]")))
        }
        #expect(wrongStart.map { "\($0)" }?.contains("begins 38") == true)
    }
}
