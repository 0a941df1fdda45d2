import Configuration
import Geodesy
import Testing

import Navigation

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
