import Geometry
import Model
import Scene
import Testing

@Suite("Anchors that hold") struct AnchorHoldTests {
    /// A wearer who stands still, with a map that the test turns.
    private struct Scenery {
        var stage: Stage
        var seconds = 0.0
        private(set) var moved: [(id: String, distance: Double)] = []

        init() throws {
            stage = try Stage()
            _ = try stage.scene(0, 0, at: 0)
        }

        /// On the earth, 100 m to the north.
        mutating func place(_ id: String, _ policy: Anchor.Policy, height: PlacementHeight = .atEye) throws {
            try stage.place(
                Anchor(
                    id: id, site: .earth(try stage.streets.position(0, 100), height: height), lifetime: .daemon,
                    policy: policy))
        }

        /// The position of an anchor in the scene, at the alignment's yaw in degrees and its height in metres.
        mutating func look(_ id: String, yaw: Double, rise: Double = 0, up: Double = 1.6) throws -> Vector3 {
            seconds += 0.1
            // About the wearer, as corrections are.
            stage.alignment = SceneAlignment(yaw: Angle.radians(degrees: yaw), translation: Vector3(0, 0, rise))
            let moment = try stage.moment(0, 0, up: up, at: seconds)
            let scene = stage.composer.compose(moment)
            for case .anchorMoved(let id, let distance) in stage.composer.observe(moment) {
                moved.append((id, distance))
            }
            return try #require(scene.placements.first { $0.id == "anchor/" + id }).position
        }
    }

    @Test("behaviour 51: a map that creeps within three sigmas moves what follows it, and not what holds")
    func creeping() throws {
        var scenery = try Scenery()
        try scenery.place("h", .hold)
        try scenery.place("f", .follow)
        let (held, followed) = (try scenery.look("h", yaw: 0), try scenery.look("f", yaw: 0))
        // The stage's yaw is known to 0.03 rad and its position to 2 m (68 %): 3.3 m at 100 m, and 9.8 m are three
        // times that.
        for step in 0...500 { #expect(try scenery.look("h", yaw: 0.01 * Double(step)) == held) }
        #expect((try scenery.look("f", yaw: 5) - followed).norm > 8)
        for step in 0...500 { #expect(try scenery.look("h", yaw: 5 - 0.02 * Double(step)) == held) }
        #expect(scenery.moved.isEmpty)
    }

    @Test("behaviour 51: beyond three sigmas it is placed again, once, when the map has come to rest, with an event")
    func placingAgain() throws {
        var scenery = try Scenery()
        try scenery.place("h", .hold)
        let held = try scenery.look("h", yaw: 0)
        // A correction by 20°, at 2 °/s.
        for step in 0...100 { #expect(try scenery.look("h", yaw: 0.2 * Double(step)) == held) }
        var places: [Vector3] = []
        for _ in 0..<100 { places.append(try scenery.look("h", yaw: 20)) }
        let last = try #require(places.last)
        #expect(places.prefix(20).allSatisfy { $0 == held } && places.suffix(65).allSatisfy { $0 == last })
        #expect(scenery.moved.map(\.id) == ["h"])
        // The chord of 20° at 100 m.
        #expect(abs((last - held).norm - 34.73) < 0.1 && abs(scenery.moved[0].distance - 34.73) < 0.1)
        try scenery.place("f", .follow)
        #expect((try scenery.look("f", yaw: 20) - last).norm < 1e-6)
    }

    @Test("behaviour 51: a map that never rests is waited for half a minute; the number of sigmas can be set")
    func restless() throws {
        var scenery = try Scenery()
        var settings = SceneSettings()
        settings.anchors.holdSigmas = 1
        scenery.stage.composer.apply(settings)
        try scenery.place("h", .hold)
        _ = try scenery.look("h", yaw: 0)
        // 2 °/s for half a minute, beyond one sigma after a second.
        for step in 0...320 { _ = try scenery.look("h", yaw: 0.2 * Double(step)) }
        #expect(scenery.moved.count == 1)
    }

    @Test(
        "behaviour 51: what is placed anew under its id, and another generation, are laid out by the map without an event"
    )
    func anew() throws {
        var scenery = try Scenery()
        try scenery.place("h", .hold)
        _ = try scenery.look("h", yaw: 0)
        try scenery.place("h", .hold)
        let placed = try scenery.look("h", yaw: 4)
        try scenery.place("f", .follow)
        #expect((try scenery.look("f", yaw: 4) - placed).norm < 1e-6)
        scenery.stage.generation = 2
        let carried = try scenery.look("h", yaw: 1)
        #expect((try scenery.look("f", yaw: 1) - carried).norm < 1e-6)
        #expect(try scenery.look("h", yaw: 3) == carried)
        #expect(scenery.moved.isEmpty)
    }

    @Test("behaviour 51: a height that counts from the eyes follows them, one above the ellipsoid is held")
    func heights() throws {
        var scenery = try Scenery()
        try scenery.place("eye", .hold, height: .eyeRelative(2))
        let site = try scenery.stage.streets.position(0, 100)
        try scenery.place("fixed", .hold, height: .ellipsoidal(site.ellipsoidalHeight))
        let (eye, fixed) = (try scenery.look("eye", yaw: 0), try scenery.look("fixed", yaw: 0))
        // Up a slope of two metres: the scene's own height follows the wearer.
        for step in 0...200 { _ = try scenery.look("eye", yaw: 0, up: 1.6 + 0.01 * Double(step)) }
        #expect(abs(try scenery.look("eye", yaw: 0, up: 3.6).y - eye.y - 2) < 0.1)
        #expect(try scenery.look("fixed", yaw: 0, up: 3.6) == fixed)
    }

    @Test("behaviour 51: a height that is corrected for long is placed again once, too, when it has come to rest")
    func rising() throws {
        var scenery = try Scenery()
        let site = try scenery.stage.streets.position(0, 100)
        try scenery.place("h", .hold, height: .ellipsoidal(site.ellipsoidalHeight))
        let held = try scenery.look("h", yaw: 0)
        // 25 m at 1 m/s, where 9 m are three sigmas.
        for step in 0...250 { #expect(try scenery.look("h", yaw: 0, rise: 0.1 * Double(step)) == held) }
        for _ in 0..<50 { _ = try scenery.look("h", yaw: 0, rise: 25) }
        #expect(abs(try scenery.look("h", yaw: 0, rise: 25).y - held.y + 25) < 0.01)
        #expect(scenery.moved.count == 1 && abs(scenery.moved[0].distance - 25) < 0.01)
    }

    @Test("only an anchor on the earth can hold")
    func refused() throws {
        var stage = try Stage()
        _ = try stage.scene(0, 0, at: 0)
        for site in [Anchor.Site.scene(.zero), .head(Vector3(0, 0, -1))] {
            do throws(AnchorProblem) {
                try stage.place(Anchor(id: "a", site: site, policy: .hold))
                Issue.record("\(site) was taken")
            } catch {
                guard case .invalid("policy", _) = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }
}
