import Configuration
import Geometry
import Testing

import Commands

@Suite("What a routing service is asked")
struct RoutingRequestTests {
    private let from = GeodeticPosition(latitudeDegrees: -33.86, longitudeDegrees: 151.2, ellipsoidalHeight: 0)!
    private let to = GeodeticPosition(latitudeDegrees: -1e-7, longitudeDegrees: 0.00000049, ellipsoidalHeight: 0)!

    @Test("behaviour 52: OSRM is asked for every step, with longitude first")
    func osrm() throws {
        let request = RoutingRequest(try RoutingService("osrm+http://h/x"), profile: "foot", from: from, to: to)
        #expect(request.body == nil)
        #expect(
            request.url
                == "http://h/x/route/v1/foot/151.2000000,-33.8600000;0.0000005,-0.0000001"
                + "?steps=true&geometries=polyline6&overview=full")
    }

    @Test(
        "behaviour 52: longitudes beyond 180 degrees are those of the same places within",
        arguments: [
            ("osrm+http://h", "-179.5000000,10.0000000;179.7500000,10.0000000"), ("valhalla", "\"lon\":179.75"),
        ])
    func longitudes(service: String, asked: String) throws {
        let (from, to) = (
            GeodeticPosition(latitudeDegrees: 10, longitudeDegrees: 180.5, ellipsoidalHeight: 0)!,
            GeodeticPosition(latitudeDegrees: 10, longitudeDegrees: -180.25, ellipsoidalHeight: 0)!
        )
        let request = RoutingRequest(try RoutingService(service), profile: "foot", from: from, to: to)
        #expect((request.body ?? request.url).contains(asked))
    }

    @Test(
        "behaviour 52: Valhalla is asked in its own form, by its own names of profiles",
        arguments: [("foot", "pedestrian"), ("car", "auto"), ("bicycle", "bicycle"), ("wheelchair", "wheelchair")])
    func valhalla(profile: String, costing: String) throws {
        let request = RoutingRequest(try RoutingService("valhalla"), profile: profile, from: from, to: to)
        #expect(request.url == "http://127.0.0.1:8002/route")
        #expect(
            request.body
                == "{\"locations\":[{\"lat\":-33.8600000,\"lon\":151.2000000},{\"lat\":-0.0000001,\"lon\":0.0000005}],"
                + "\"costing\":\"\(costing)\",\"units\":\"kilometers\"}")
    }
}
