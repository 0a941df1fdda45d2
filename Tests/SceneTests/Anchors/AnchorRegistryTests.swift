import Geometry
import Model
import Scene
import Testing

@Suite("Anchors") struct AnchorRegistryTests {
    private static let settings = SceneSettings.Anchors()

    private static func problem(_ anchor: Anchor, routeLength: Double? = nil) -> AnchorProblem? {
        var board = AnchorRegistry()
        _ = board.enter(generation: 1, map: nil)
        do throws(AnchorProblem) {
            try board.place(anchor, owner: 1, routeLength: routeLength, settings: settings)
            return nil
        } catch {
            return error
        }
    }

    private static func field(_ anchor: Anchor) -> String? {
        guard case .invalid(let field, _)? = problem(anchor) else { return nil }
        return field
    }

    @Test("what cannot be is refused by the name of its field")
    func checks() throws {
        let head = Anchor.Site.head(Vector3(0, 0, -1))
        #expect(Self.problem(Anchor(id: "a", site: head)) == nil)
        #expect(Self.field(Anchor(id: "", site: head)) == "id")
        #expect(Self.field(Anchor(id: String(repeating: "x", count: 129), site: head)) == "id")
        #expect(Self.field(Anchor(id: "a", name: String(repeating: "ü", count: 129), site: head)) == "name")
        #expect(Self.field(Anchor(id: "a", site: .head(Vector3(.nan, 0, 0)))) == "head")
        #expect(Self.field(Anchor(id: "a", site: .head(Vector3(0, 0, -1e6)))) == "head")
        #expect(Self.field(Anchor(id: "a", site: .scene(Vector3(1e6, 0, 0)))) == "position")
        #expect(Self.field(Anchor(id: "a", site: head, size: .angular(0))) == "sizeDegrees")
        #expect(Self.field(Anchor(id: "a", site: head, size: .angular(.nan))) == "sizeDegrees")
        #expect(Self.field(Anchor(id: "a", site: head, size: .metric(-1))) == "sizeMetres")
        let many = Dictionary(uniqueKeysWithValues: (0..<33).map { ("\($0)", "") })
        #expect(Self.field(Anchor(id: "a", site: head, properties: many)) == "properties")
        let long = ["a": String(repeating: "x", count: 4096)]
        #expect(Self.field(Anchor(id: "a", site: head, properties: long)) == "properties")
        #expect(Self.problem(Anchor(id: "a", site: head, lifetime: .kept)) == .cannotBeKept)
        #expect(Self.problem(Anchor(id: "a", site: .route(along: 3))) == .noRoute)
        #expect(Self.problem(Anchor(id: "a", site: .route(along: 3)), routeLength: 4) == nil)
        for along in [-1, 5, Double.nan] {
            guard
                case .invalid("alongRoute", _)? = Self.problem(
                    Anchor(id: "a", site: .route(along: along)), routeLength: 4)
            else {
                Issue.record("\(along) m along was taken")
                continue
            }
        }
        let offRoute = Self.problem(Anchor(id: "a", site: .route(along: 500)), routeLength: 222.44396491423748)
        #expect(offRoute == .invalid(field: "alongRoute", reason: "is not on the route, which is 222 m long"))
        let place = try #require(GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2, ellipsoidalHeight: 0))
        #expect(Self.problem(Anchor(id: "a", site: .earth(place, height: .atEye), lifetime: .kept)) == nil)
        #expect(Self.field(Anchor(id: "a", site: .earth(place, height: .ellipsoidal(.infinity)))) == "height")
    }

    @Test("before the first pose there is no scene to place something in")
    func noScene() {
        var board = AnchorRegistry()
        #expect(throws: AnchorProblem.noScene) {
            try board.place(
                Anchor(id: "a", site: .scene(.zero)), owner: 1, routeLength: nil, settings: Self.settings)
        }
    }

    @Test("the number of anchors of a client and of all is limited; one that replaces another needs no room")
    func limits() throws {
        var board = AnchorRegistry()
        var settings = Self.settings
        (settings.maximumCountPerClient, settings.maximumCount) = (3, 5)
        func place(_ id: String, _ owner: UInt64) throws(AnchorProblem) {
            try board.place(Anchor(id: id, site: .head(.zero)), owner: owner, routeLength: nil, settings: settings)
        }
        for id in ["a", "b", "c"] { try place(id, 1) }
        #expect(throws: AnchorProblem.tooMany(limit: "anchorsOfClient", maximum: 3)) { try place("d", 1) }
        try place("b", 1)
        try place("d", 2)
        try place("e", 2)
        #expect(throws: AnchorProblem.tooMany(limit: "anchors", maximum: 5)) { try place("f", 2) }
        try place("a", 2)
        #expect(board.anchors.map(\.id) == ["a", "b", "c", "d", "e"])
    }

    @Test("with its connection goes what was to last as long, and the rest stays")
    func connection() throws {
        var board = AnchorRegistry()
        func place(_ id: String, _ owner: UInt64, _ lifetime: Anchor.Lifetime) throws(AnchorProblem) {
            try board.place(
                Anchor(id: id, site: .head(.zero), lifetime: lifetime), owner: owner, routeLength: nil,
                settings: Self.settings)
        }
        try place("a", 1, .connection)
        try place("b", 1, .daemon)
        try place("c", 2, .connection)
        board.disconnect(1)
        #expect(board.anchors.map(\.id) == ["b", "c"])
        board.disconnect(2)
        #expect(board.anchors.map(\.id) == ["b"])
    }

    @Test("an anchor in the scene stays at its place on earth when another scene frame begins")
    func carriedOver() throws {
        var stage = try Stage()
        _ = try stage.scene(0, 0, at: 0)
        try stage.place(Anchor(id: "a", site: .scene(Vector3(10, 1.6, -20))))
        let before = try #require(try stage.scene(0, 0, at: 1).placements.first)
        #expect(before.position == Vector3(10, 1.6, -20))
        stage.generation = 2
        stage.alignment = SceneAlignment(yaw: 1.2, translation: Vector3(100, -40, 3))
        // Not known on the earth yet: it waits, and is not shown at a wrong place.
        stage.isLocalized = false
        #expect(try stage.scene(0, 0, at: 2).placements.isEmpty)
        stage.isLocalized = true
        let after = try #require(try stage.scene(0, 0, at: 3).placements.first)
        #expect((after.position - before.position).norm > 50)
        #expect(abs(after.distance - before.distance) < 1e-6)
        #expect(abs(Angle.wrapped(try #require(after.bearing) - #require(before.bearing))) < 1e-6)
    }

    @Test("one whose scene frame was never known on the earth goes with it, and that is reported")
    func lost() throws {
        var stage = try Stage()
        stage.isLocalized = false
        _ = try stage.scene(0, 0, at: 0)
        try stage.place(Anchor(id: "a", site: .scene(Vector3(1, 1, 1))))
        #expect(try stage.scene(0, 0, at: 1).placements.count == 1)
        stage.generation = 2
        stage.isLocalized = true
        #expect(try stage.scene(0, 0, at: 2).placements.isEmpty)
        let told2 = stage.composer.observe(try stage.moment(0, 0, at: 2))
        #expect(told2.contains(.anchorLost(id: "a")))
        let told3 = stage.composer.observe(try stage.moment(0, 0, at: 3))
        #expect(!told3.contains(.anchorLost(id: "a")))
    }

    @Test("each kind of anchor lies where it says")
    func sites() throws {
        var stage = try Stage()
        try stage.follow([(0, 0), (0, 100)])
        let place = try stage.streets.position(30, 40)
        try stage.place(Anchor(id: "earth", site: .earth(place, height: .groundRelative(0))))
        try stage.place(Anchor(id: "head", site: .head(Vector3(0.2, 0, -1)), size: .metric(0.1)))
        try stage.place(Anchor(id: "route", site: .route(along: 60)))
        try stage.fix(0, 20)
        let scene = try stage.scene(0, 20, heading: 90, at: 0)
        func placement(_ id: String) throws -> Placement {
            try #require(scene.placements.first { $0.id == "anchor/" + id })
        }
        let head = try placement("head")
        #expect(head.lock == .head && head.position == Vector3(0.2, 0, -1) && head.bearing == nil)
        let earth = try placement("earth")
        #expect(abs(earth.position.y - (scene.eye.y - 1.6)) < 1e-6)
        #expect(abs(Angle.degrees(radians: try #require(earth.bearing)) - 56.31) < 0.01)
        let route = try placement("route")
        #expect(abs(try #require(route.alongRoute) - 40) < 0.1)
        #expect(abs(route.distance - 40) < 0.1)
    }

    @Test("ids that the board makes are free")
    func freshIDs() throws {
        var board = AnchorRegistry()
        try board.place(Anchor(id: "2", site: .head(.zero)), owner: 1, routeLength: nil, settings: Self.settings)
        #expect(board.freshID() == "1")
        #expect(board.freshID() == "3")
    }
}
