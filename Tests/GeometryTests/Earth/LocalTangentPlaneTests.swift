import Geometry
import Testing

@Suite("Local tangent plane")
struct LocalTangentPlaneTests {
    static func position(_ latitude: Double, _ longitude: Double, _ height: Double) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: height))
    }

    @Test("GeographicLib's published points")
    func published() throws {
        // CartConvert -l 33 44 20, from its manual; printed to the centimetre.
        let plane = try LocalTangentPlane(origin: Self.position(33, 44, 20))
        let point = try plane.pointENU(of: Self.position(33.3, 44.4, 6000))
        #expect((point - Vector3(37288.97, 33374.29, 5783.64)).norm < 0.01)

        // Paris and Calais, from the documentation of LocalCartesian; printed to six digits.
        let paris = try LocalTangentPlane(origin: Self.position(48 + 50 / 60.0, 2 + 20 / 60.0, 0))
        let calais = try paris.pointENU(of: Self.position(50.9, 1.8, 0))
        #expect(abs(calais.x - -37518.6) < 0.05)
        #expect(abs(calais.y - 229950) < 0.5)
        #expect(abs(calais.z - -4260.43) < 0.005)
        let near = try #require(paris.position(ofENU: Vector3(-38e3, 230e3, -4e3)))
        #expect(abs(near.latitudeDegrees - 50.9003) < 5e-5)
        #expect(abs(near.longitudeDegrees - 1.79318) < 5e-6)
        #expect(abs(near.ellipsoidalHeight - 264.915) < 5e-4)
    }

    @Test("there and back", arguments: [-89.9, -43, 0, 47.4, 89.9], [-179.9999, 0, 8.5, 179.9999])
    func roundTrip(latitude: Double, longitude: Double) throws {
        let plane = try LocalTangentPlane(origin: Self.position(latitude, longitude, 420))
        for point in [Vector3.zero, Vector3(1, 2, 3), Vector3(-2000, 5000, -30), Vector3(9000, 0, 100)] {
            let position = try #require(plane.position(ofENU: point))
            // Doubles of earth-radius size resolve a nanometre; a few of them add up.
            #expect((plane.pointENU(of: position) - point).norm < 1e-8)
        }
    }

    @Test("behaviour 2: north and east offsets agree with the radii of curvature")
    func smallOffsets() throws {
        let origin = try Self.position(47.4, 8.5, 420)
        let latitude = 47.4 * Double.pi / 180
        let step = 1e-5
        let plane = LocalTangentPlane(origin: origin)
        let north = try plane.pointENU(of: Self.position(47.4 + step, 8.5, 420))
        let east = try plane.pointENU(of: Self.position(47.4, 8.5 + step, 420))
        let radians = step * .pi / 180
        // One metre: the next term of the series is below 1e-7 of it.
        #expect(abs(north.y - (Ellipsoid.meridianRadius(latitude: latitude) + 420) * radians) < 1e-6)
        #expect(
            abs(east.x - (Ellipsoid.primeVerticalRadius(latitude: latitude) + 420) * radians * 0.676875969694)
                < 1e-6, "cos 47.4° is 0.676876")
    }

    @Test("behaviour 3: the ground falls away by 0.3 m at 2 km and 7.8 m at 10 km")
    func curvature() throws {
        let origin = try Self.position(47.4, 8.5, 0)
        let plane = LocalTangentPlane(origin: origin)
        let near = try #require(origin.destination(bearing: 1, distance: 2000))
        let far = try #require(origin.destination(bearing: 1, distance: 10_000))
        #expect(abs(plane.pointENU(of: near).z - -0.314) < 0.002)
        #expect(abs(plane.pointENU(of: far).z - -7.83) < 0.02)
    }

    @Test("across the antimeridian the offset stays small")
    func antimeridian() throws {
        let plane = try LocalTangentPlane(origin: Self.position(-17, 179.9999, 0))
        let point = try plane.pointENU(of: Self.position(-17, -179.9999, 0))
        #expect(abs(point.x - 21.3) < 0.1)
        #expect(abs(point.y) < 1e-3)
    }

    @Test("a point that is not finite has no position")
    func notFinite() throws {
        let plane = try LocalTangentPlane(origin: Self.position(1, 2, 3))
        #expect(plane.position(ofENU: Vector3(.nan, 0, 0)) == nil)
        #expect(plane.position(ofENU: Vector3(0, .infinity, 0)) == nil)
    }
}
