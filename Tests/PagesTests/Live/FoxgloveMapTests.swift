import Geometry
import JSON
import Pages
import Model
import Testing
import WaymarkInterface

@Suite struct FoxgloveMapTests {
    private let origin = PoseInterface.Geo(latitude: 47.4, longitude: 8.5, height: 400)

    private func frame(_ yaw: Double, _ origin: PoseInterface.Geo?) -> PoseInterface.Frame {
        let alignment = PoseInterface.Alignment(yaw: yaw, east: 100, north: -50, up: 3)
        return PoseInterface.Frame(
            sequence: 1, time: PoseInterface.Time(sec: 1, nsec: 0), generation: 1, origin: origin,
            published: alignment, target: alignment, before: alignment, causes: [])
    }

    private func placement(_ kind: SceneInterface.PlacementKind, lock: SceneInterface.Lock = .scene)
        -> SceneInterface.Placement
    {
        SceneInterface.Placement(
            id: "p/\(kind)", revision: 1, kind: OpenWord(kind), name: "x", lock: lock,
            position: SceneInterface.Vector(x: 10, y: 2, z: -20), displayDistance: 1, yaw: 0, distance: 1,
            size: SceneInterface.Size(policy: .metric, angle: 1, scale: 1), order: 1, visible: true)
    }

    @Test("placements are where the scene's published alignment has them on the earth")
    func places() throws {
        let points = try #require(FoxgloveMap.places([placement(.place)], by: frame(90, origin)))
        let point = try #require(points.first)
        let plane = LocalTangentPlane(
            origin: try #require(
                GeodeticPosition(latitudeDegrees: 47.4, longitudeDegrees: 8.5, ellipsoidalHeight: 400)))
        // East 10 and north 20 of the scene, a quarter turn to the left.
        #expect((plane.pointENU(of: point.position) - Vector3(100 - 20, -50 + 10, 3 + 2)).norm < 1e-6)
        #expect(point.id == "p/place" && point.kind == "place" && point.name == "x")
    }

    @Test("only what stands on the earth is on the map, and nothing while the place of the scene is not known")
    func standing() throws {
        let all = SceneInterface.PlacementKind.allCases.map { placement($0) } + [placement(.anchor, lock: .head)]
        let points = try #require(FoxgloveMap.places(all, by: frame(0, origin)))
        #expect(points.map(\.kind) == ["anchor", "destination", "place", "start", "turn"])
        #expect(FoxgloveMap.places(all, by: frame(0, nil)) == nil)
    }

    private func reply(_ name: String, _ count: Int, _ vertices: Range<Int>) -> SceneInterface.GetRoute.Reply {
        SceneInterface.GetRoute.Reply(
            route: SceneInterface.Route(
                id: name, name: name, state: .following, length: 10, vertices: count, turns: 0),
            vertices: vertices.map { SceneInterface.RouteVertex(latitude: 47 + Double($0) * 1e-5, longitude: 8) })
    }

    private func line(_ text: String?) throws -> [JSONNode] {
        let features = try JSONReader.read(Array(#require(text).utf8)).member("features").array()
        return try features.flatMap { try Array($0.member("geometry").member("coordinates").array()) }
    }

    @Test("the route is asked for in parts until it is whole, and again only when it is another one")
    func route() throws {
        var route = FoxgloveRoute()
        #expect(route.take(reply("a", 3, 0..<0)) == .incomplete(0) && route.text == nil)
        #expect(route.take(reply("a", 3, 0..<2)) == .incomplete(2) && route.text == nil)
        #expect(route.take(reply("a", 3, 2..<3)) == .complete)
        #expect(try line(route.text).count == 3)
        #expect(route.take(reply("a", 3, 0..<0)) == .unchanged)
        #expect(route.take(reply("b", 2, 0..<2)) == .incomplete(0) && route.text == nil)
        #expect(route.take(reply("b", 2, 0..<2)) == .complete)
        #expect(route.take(nil) == .complete)
        #expect(try line(route.text).isEmpty)
        #expect(route.take(nil) == .unchanged)
        #expect(route.take(reply("b", 0, 0..<0)) == .complete)
    }

    @Test("a long route is drawn with fewer vertices, and to its end")
    func longRoute() throws {
        var route = FoxgloveRoute()
        _ = route.take(reply("a", 199_999, 0..<0))
        #expect(route.take(reply("a", 199_999, 0..<199_999)) == .complete)
        let drawn = try line(route.text)
        #expect(drawn.count <= FoxgloveMap.maximumVertexCount + 1)
        let last = try #require(drawn.last?.elements.map(\.number).last ?? nil)
        #expect(abs(last - (47 + 199_998e-5)) < 1e-6)
    }

    @Test("the clock is boot time until a pose has UTC, and then that, without the jitter of its digits")
    func clock() {
        var clock = FoxgloveClock()
        clock.learn(from: pose(10, utc: nil))
        #expect(clock.now == 10_000_000_000)
        clock.learn(from: pose(11, utc: 1_000_011_000_000_000))
        #expect(clock.now == 1_000_011_000_000_000)
        clock.learn(from: pose(12, utc: 1_000_012_000_900_000))
        #expect(clock.now == 1_000_012_000_000_000)
        clock.learn(from: pose(13, utc: 500_000_000_000))
        #expect(clock.now == 500_000_000_000)
    }

    private func pose(_ seconds: Int, utc: Int64?) -> PoseInterface.Pose {
        let zero = PoseInterface.Vector(x: 0, y: 0, z: 0)
        return PoseInterface.Pose(
            sequence: 1, time: PoseInterface.Time(sec: seconds, nsec: 0), utc: utc.map { UTCTime(nanoseconds: $0) },
            frame: "scene", generation: 1, position: zero,
            orientation: PoseInterface.Quaternion(x: 0, y: 0, z: 0, w: 1), linearVelocity: zero, angularVelocity: zero,
            tracking: PoseInterface.Tracking(orientation: .tracked, position: .tracked), headingReference: .none,
            accuracy: PoseInterface.Accuracy(), state: .localized, reasons: [], sources: [])
    }
}
