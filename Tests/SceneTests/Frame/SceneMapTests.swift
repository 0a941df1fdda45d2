import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("From the earth into the scene")
struct SceneMapTests {
    /// The flat formula of small offsets: x = (N + h)·cosφ·Δλ, z = −(M + h)·Δφ, at the middle latitude.
    private func flat(_ from: GeodeticPosition, _ to: GeodeticPosition) -> (x: Double, z: Double) {
        let middle = Angle.radians(degrees: (from.latitudeDegrees + to.latitudeDegrees) / 2)
        let height = from.ellipsoidalHeight
        let longitude = Angle.radians(degrees: remainder(to.longitudeDegrees - from.longitudeDegrees, 360))
        let latitude = Angle.radians(degrees: to.latitudeDegrees - from.latitudeDegrees)
        return (
            (Ellipsoid.primeVerticalRadius(latitude: middle) + height) * cos(middle) * longitude,
            -(Ellipsoid.meridianRadius(latitude: middle) + height) * latitude
        )
    }

    private static let places = [(47.3769, 8.5417), (-33.9, 151.2), (0.0, 0.0), (64.1, -21.9), (-17.0, 179.999)]

    @Test("behaviour 2: an offset on the earth is the offset in the scene, X east and Z south", arguments: places)
    func forward(latitude: Double, longitude: Double) throws {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 400))
        let map = FrameSamples.map(origin: origin)
        for k in 0..<16 {
            let there = try #require(origin.destination(bearing: Double(k) * .pi / 8, distance: 300))
            let point = map.pointInScene(of: there)
            let (x, z) = flat(origin, there)
            // Over 300 m the flat formula is off by d²·tanφ/2R, 0.015 m at 64°, and the drop is 7 mm.
            #expect(abs(point.x - x) < 0.02 && abs(point.z - z) < 0.02 && abs(point.y) < 0.01)
        }
    }

    @Test("behaviour 2: a sphere would be off by metres at 2 km")
    func noSphere() throws {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: 0, longitudeDegrees: 30, ellipsoidalHeight: 0))
        let there = try #require(
            GeodeticPosition(latitudeDegrees: 0.018, longitudeDegrees: 30, ellipsoidalHeight: 0))
        let point = FrameSamples.map(origin: origin).pointInScene(of: there)
        let sphere = -6_371_008.8 * Angle.radians(degrees: 0.018)
        #expect(abs(point.z - flat(origin, there).z) < 0.01)
        #expect(abs(point.z - sphere) > 10)
    }

    @Test("behaviour 3: the earth's curvature is in it: 0.3 m at 2 km, 7.8 m at 10 km")
    func curvature() throws {
        let origin = try FrameSamples.zurich(height: 0)
        let map = FrameSamples.map(origin: origin)
        for (distance, drop) in [(2000.0, 0.31), (10_000, 7.8)] {
            let there = try #require(origin.destination(bearing: 1, distance: distance))
            #expect(abs(map.pointInScene(of: there).y + drop) < 0.05)
        }
    }

    @Test("behaviour 4: the way back from the scene leads to the very place", arguments: places)
    func back(latitude: Double, longitude: Double) throws {
        let origin = try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 400))
        let map = SceneMap(
            plane: LocalTangentPlane(origin: origin),
            alignment: SceneAlignment(yaw: 0.7, translation: Vector3(30, -20, 5)))
        for k in 0..<16 {
            let point = Vector3(Double(k) * 37 - 300, Double(k) - 8, 250 - Double(k) * 31)
            let there = try #require(map.position(ofScene: point))
            // Double precision on the earth's radius: nanometres.
            #expect((map.pointInScene(of: there) - point).norm < 1e-6)
        }
    }

    @Test("behaviour 4: an offset east is more degrees of longitude the farther from the equator")
    func cosine() throws {
        for latitude in [0.0, 30, 60, 80] {
            let origin = try #require(
                GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 10, ellipsoidalHeight: 0))
            let there = try #require(FrameSamples.map(origin: origin).position(ofScene: Vector3(100, 0, 0)))
            let radians = Angle.radians(degrees: latitude)
            let expected = 100 / (Ellipsoid.primeVerticalRadius(latitude: radians) * cos(radians))
            #expect(abs(Angle.radians(degrees: there.longitudeDegrees - 10) / expected - 1) < 1e-6)
        }
    }

    @Test("behaviour 15: bearings are those of the geodesic, clockwise from north")
    func bearing() throws {
        let from = try #require(GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, ellipsoidalHeight: 0))
        let to = try #require(GeodeticPosition(latitudeDegrees: 47.3, longitudeDegrees: 8.9, ellipsoidalHeight: 0))
        let (p1, p2) = (Angle.radians(degrees: 47), Angle.radians(degrees: 47.3))
        let step = Angle.radians(degrees: 0.9)
        let sphere = atan2(sin(step) * cos(p2), cos(p1) * sin(p2) - sin(p1) * cos(p2) * cos(step))
        let bearing = try #require(Geodesic(from: from, to: to).bearing)
        // The ellipsoid turns it by 0.1° at the most.
        #expect(abs(bearing - sphere) < Angle.radians(degrees: 0.2))
        // With cos of a longitude in the place of cos φ₂, as it is sometimes printed, it would be another.
        let wrong = atan2(
            sin(step) * cos(Angle.radians(degrees: 8.9)), cos(p1) * sin(p2) - sin(p1) * cos(p2) * cos(step))
        #expect(abs(bearing - wrong) > Angle.radians(degrees: 5))
    }

    @Test("behaviour 17: every waypoint counts from one origin, so that errors do not add up")
    func oneOrigin() throws {
        let origin = try FrameSamples.zurich()
        let map = FrameSamples.map(yaw: 0.3, origin: origin)
        var chained = Vector3.zero
        var here = origin
        for k in 1...50 {
            let next = try #require(here.destination(bearing: 0.4 + 0.05 * Double(k), distance: 80))
            let (x, z) = flat(here, next)
            chained += Vector3(x, 0, z)
            here = next
            // Directly through the origin: exact, whatever came before.
            let point = map.pointInScene(of: here)
            #expect(Geodesic(from: try #require(map.position(ofScene: point)), to: here).distance < 1e-6)
        }
        let direct = FrameSamples.map(origin: origin).pointInScene(of: here)
        #expect((chained - Vector3(direct.x, 0, direct.z)).norm > 0.05, "what chaining would have cost")
    }
}
