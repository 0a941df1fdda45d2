import Geometry
import Model
import Scene
import Testing

@Suite("Offsets by bearing and distance")
struct BearingOffsetTests {
    @Test("behaviour 16: north is −z, east is +x")
    func axes() {
        let expected: [(Double, Vector3)] = [
            (0, Vector3(0, 2, -10)), (90, Vector3(10, 2, 0)), (180, Vector3(0, 2, 10)), (270, Vector3(-10, 2, 0)),
        ]
        for (degrees, offset) in expected {
            let bearing = Angle.radians(degrees: degrees)
            #expect((BearingOffset.inScene(bearing: bearing, distance: 10, height: 2) - offset).norm < 1e-12)
            #expect(abs((BearingOffset.bearing(ofScene: offset) ?? -1) - bearing) < 1e-12)
        }
        #expect(BearingOffset.bearing(ofScene: Vector3(0, 5, 0)) == nil)
    }

    @Test(
        "behaviour 16: agrees with the geodesic up to a kilometre, but for the curvature of the earth",
        arguments: [-70.0, -33.9, 0, 48.2, 70], [0.0, 0.4, -2])
    func geodesic(latitude: Double, yaw: Double) throws {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 179.999, ellipsoidalHeight: 0))
        let map = SceneMap(
            plane: LocalTangentPlane(origin: origin),
            alignment: SceneAlignment(yaw: yaw, translation: Vector3(12, -7, 3)))
        let eye = map.pointInScene(of: origin)
        for degrees in stride(from: 0.0, to: 360, by: 22.5) {
            let bearing = Angle.radians(degrees: degrees)
            for distance in [1.0, 50, 300, 1000] {
                let place = try #require(origin.destination(bearing: bearing, distance: distance))
                let exact = map.pointInScene(of: place)
                let near = eye + map.offset(bearing: bearing, distance: distance)
                // Over ground s³/6R² is 4 µm at 1 km, and the geodesic's own turn less; 0.1 mm is far above both.
                #expect((Vector3(exact.x, 0, exact.z) - Vector3(near.x, 0, near.z)).norm < 1e-4)
                // Downwards s²/2R, with R from 6335 to 6400 km: 0.8 % about 6357 km.
                let drop = distance * distance / (2 * 6_367_000)
                #expect(abs(near.y - exact.y - drop) < 0.01 * drop + 1e-6)
                let found = try #require(map.bearing(ofScene: exact - eye))
                #expect(abs(Angle.wrapped(found - bearing)) < 1e-6)
            }
        }
    }

    @Test("behaviour 16: an alignment without a turn changes nothing", arguments: UInt64(0)..<20)
    func aligned(seed: UInt64) throws {
        var draws = Draws(state: seed)
        let origin = try #require(GeodeticPosition(latitudeDegrees: 10, longitudeDegrees: 20, ellipsoidalHeight: 0))
        let map = SceneMap(
            plane: LocalTangentPlane(origin: origin), alignment: SceneAlignment(yaw: 0, translation: .zero))
        let (bearing, distance, height) = (draws.number(0...6), draws.number(0...900), draws.number(-9...9))
        let offset = BearingOffset.inScene(bearing: bearing, distance: distance, height: height)
        #expect((map.offset(bearing: bearing, distance: distance, height: height) - offset).norm < 1e-9)
    }
}
