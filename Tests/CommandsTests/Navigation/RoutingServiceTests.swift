import Configuration
import Testing

@Suite("Routing services as they are named")
struct RoutingServiceTests {
    @Test(
        "behaviour 52: a service is declared by its kind; without an address it is on this machine",
        arguments: [
            ("osrm", "osrm+http://127.0.0.1:5000"),
            ("Valhalla", "valhalla+http://127.0.0.1:8002"),
            ("osrm+http://127.0.0.1:5001", "osrm+http://127.0.0.1:5001"),
            ("osrm+HTTP://Router.Example/way/", "osrm+http://router.example/way"),
            ("valhalla+https://[fd00::1]:8002", "valhalla+https://[fd00::1]:8002"),
            ("valhalla+http://[::1]", "valhalla+http://[::1]"),
        ])
    func good(text: String, meaning: String) throws {
        #expect(try RoutingService(text).description == meaning)
    }

    @Test(
        "behaviour 52: what is not plainly an address over HTTP is refused with what is wrong",
        arguments: [
            ("", "must be osrm, valhalla"), ("graphhopper", "must be osrm, valhalla"),
            ("http://127.0.0.1:5000", "osrm+http://127.0.0.1:5000 or valhalla+"),
            ("osrm+", "http:// or https://"), ("osrm+ftp://h", "http:// or https://"),
            ("osrm+file:///etc/passwd", "http:// or https://"), ("osrm+http://", "must name a host"),
            ("osrm+http://me:secret@h", "user name"), ("osrm+http://127.0.0.1@h", "user name"),
            ("osrm+http://h?x=1", "must not contain ?"), ("osrm+http://h/#x", "must not contain ?"),
            ("osrm+http://h:0", "port from 1 to 65535"), ("osrm+http://h:65536", "port from 1 to 65535"),
            ("osrm+http://h:-1", "port from 1 to 65535"), ("osrm+http://h:", "port from 1 to 65535"),
            ("osrm+http://h:99999999999999999999", "port from 1 to 65535"),
            ("osrm+http://h h", "must name a host"), ("osrm+http://h\r\nX: y", "must name a host"),
            ("osrm+http://[::1", "must name a host"), ("osrm+http://[host]", "must name a host"),
            ("osrm+http://h/a b", "path with other characters"), ("osrm+http://h/\u{E4}", "path with other characters"),
            ("osrm+http://h/" + String(repeating: "a", count: 600), "longer than 500 bytes"),
        ])
    func bad(text: String, reason: String) {
        let problem = #expect(throws: RoutingService.Problem.self) { try RoutingService(text) }
        #expect(problem?.description.contains(reason) == true)
    }

    @Test("a profile is one word that may stand in a path")
    func profiles() {
        for good in ["foot", "my-profile_2"] { #expect(RoutingService.isProfile(good)) }
        for bad in ["", "../x", "a b", "a/b", "ä", String(repeating: "a", count: 41)] {
            #expect(!RoutingService.isProfile(bad))
        }
    }
}
