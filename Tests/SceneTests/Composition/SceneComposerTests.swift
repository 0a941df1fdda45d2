import Geometry
import Glibc
import Model
import Scene
import Testing

@Suite("The composed scene") struct SceneComposerTests {
    private static let loop = [(0.0, 0.0), (0, 80), (60, 80), (60, 10), (140, 10)]

    /// Places on a grid about the origin. Unit of `spacing`: metres.
    private static func grid(_ stage: Stage, _ side: Int, spacing: Double) throws -> [Place] {
        try (0..<(side * side)).map { number in
            let (row, column) = (Double(number / side) - Double(side) / 2, Double(number % side) - Double(side) / 2)
            var place = try stage.streets.place("p\(number)", spacing * (column + 0.5), spacing * (row + 0.5))
            place.isFavorite = number % 17 == 0
            return place
        }
    }

    @Test("through a walk, every scene has finite numbers, ids that are unique and in order, and an order without ties")
    func walk() throws {
        var stage = try Stage()
        stage.composer.setPlaces(try Self.grid(stage, 12, spacing: 60))
        try stage.follow(Self.loop)
        try stage.place(Anchor(id: "h", site: .head(Vector3(0.1, 0, -1))))
        try stage.place(Anchor(id: "a", site: .route(along: 100)))
        var kinds: Set<Placement.Kind> = []
        for second in 0..<160 {
            let (east, north) = Self.along(1.4 * Double(second))
            try stage.fix(east, north)
            for frame in 0..<4 {
                let time = Double(second) + 0.25 * Double(frame)
                let scene = try stage.scene(
                    east, north, up: 1.6 + 0.03 * sin(12 * time), heading: 40 * sin(time), at: time)
                let ids = scene.placements.map(\.id)
                #expect(ids == Set(ids).sorted())
                #expect(scene.placements.allSatisfy { $0.isFinite })
                #expect(Set(scene.placements.map(\.order)).count == ids.count)
                kinds.formUnion(scene.placements.map(\.kind))
            }
        }
        #expect(kinds == [.place, .cluster, .arrow, .node, .start, .turn, .destination, .anchor])
    }

    private static func along(_ metres: Double) -> (Double, Double) {
        var rest = metres
        for (from, to) in zip(loop, loop.dropFirst()) {
            let leg = hypot(to.0 - from.0, to.1 - from.1)
            if rest <= leg { return (from.0 + (to.0 - from.0) * rest / leg, from.1 + (to.1 - from.1) * rest / leg) }
            rest -= leg
        }
        return loop[loop.count - 1]
    }

    @Test(
        "behaviour 28: a route replaced on the fly leaves nothing of itself, in one revision, though both have one id")
    func replacement() throws {
        var stage = try Stage()
        try stage.follow(Self.loop, id: "same")
        try stage.place(Anchor(id: "on-route", site: .route(along: 30)))
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5))
        var follower = Follower()
        let before = try stage.scene(0, 0, at: 0)
        follower.take(try view.sent(before))
        let old = Set(before.placements.map(\.id))
        #expect(old.count > 30)
        #expect(old.contains("anchor/on-route"))

        try stage.follow([(0, 0), (-90, 0), (-90, -50)], id: "same")
        let after = try stage.scene(0, 0, at: 0.016)
        let update = try view.sent(after)
        #expect(!update.isSnapshot)
        #expect(Set(update.removed) == old)
        #expect(update.removed == update.removed.sorted())
        #expect(update.route?.length != before.route?.length)
        follower.take(update)
        #expect(follower.agrees(with: after))
        #expect(follower.placements.count > 10 && old.isDisjoint(with: follower.placements.keys))

        try stage.follow(nil)
        let cleared = try stage.scene(0, 0, at: 0.032)
        let last = try view.sent(cleared)
        #expect(cleared.placements.isEmpty && last.changed.isEmpty && last.route == nil && last.motion == nil)
        #expect(Set(last.removed) == Set(after.placements.map(\.id)))
    }

    @Test("behaviour 40: a scene never has more placements than it may, the route before anchors before favourites")
    func cap() throws {
        var stage = try Stage()
        var settings = SceneSettings()
        settings.placements.maximumPlacementCount = 80
        settings.places.clusterShare = 0
        stage.composer.apply(settings)
        stage.composer.setPlaces(try Self.grid(stage, 30, spacing: 25))
        try stage.follow(Self.loop)
        _ = try stage.scene(0, 0, at: 0)
        for number in 0..<64 { try stage.place(Anchor(id: "a\(number)", site: .scene(Vector3(Double(number), 0, 3)))) }
        let scene = try stage.scene(0, 0, at: 0.1)
        #expect(scene.placements.count == 80)
        #expect(scene.left > 0)
        let route = scene.placements.count { $0.id.hasPrefix("route/") }
        #expect(route > 30)
        #expect(scene.placements.count { $0.kind == .anchor } == 80 - route)

        for number in 0..<64 { _ = stage.composer.removeAnchor(id: "a\(number)") }
        try stage.follow(nil)
        settings.placements.maximumPlacementCount = 40
        stage.composer.apply(settings)
        let places = try stage.scene(0, 0, at: 1).placements
        #expect(places.count == 40)
        let favourites = places.filter(\.isFavorite)
        #expect(favourites.count >= 2)
        let shown = try stage.scene(0, 0, at: 2).placements
        #expect(Set(shown.map(\.id)) == Set(places.map(\.id)))
    }

    @Test("behaviour 40: at the cap nothing comes and goes while the wearer sways")
    func capHysteresis() throws {
        var stage = try Stage()
        var settings = SceneSettings()
        settings.placements.maximumPlacementCount = 20
        settings.places.clusterShare = 0
        stage.composer.apply(settings)
        stage.composer.setPlaces(try Self.grid(stage, 30, spacing: 25))
        var known = Set(try stage.scene(0, 0, at: 0).placements.map(\.id))
        var changes = 0
        for step in 1..<200 {
            let time = 0.1 * Double(step)
            let now = Set(try stage.scene(0.4 * sin(time), 0.4 * cos(time), at: time).placements.map(\.id))
            changes += now.symmetricDifference(known).count
            known = now
        }
        #expect(changes <= 2)
    }

    @Test("what is fixed to the earth waits for a frame that has been ready, and stays when it is lost")
    func readiness() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 30, 40)])
        try stage.follow(Self.loop)
        try stage.place(Anchor(id: "head", site: .head(Vector3(0, 0, -1))))
        stage.readiness = FrameReadiness(state: .searching, reasons: .headingUnknown)
        #expect(try stage.scene(0, 0, at: 0).placements.map(\.id) == ["anchor/head"])
        stage.readiness = FrameReadiness(state: .ready, reasons: [])
        let ready = try stage.scene(0, 0, at: 1)
        #expect(ready.placements.count > 10)
        stage.readiness = FrameReadiness(state: .lost, reasons: .poorGNSS)
        #expect(try stage.scene(0, 0, at: 2).placements.count == ready.placements.count)
        stage.generation += 1
        #expect(try stage.scene(0, 0, at: 3).placements.map(\.id) == ["anchor/head"])
    }

    @Test("what is placed at the wearer's eyes does not bob with the steps, and follows up a slope")
    func bobbing() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 30, 40)])
        var heights: [Double] = []
        for frame in 0..<600 {
            let time = Double(frame) / 60
            let scene = try stage.scene(0, 0, up: 1.6 + 0.03 * sin(4 * .pi * time), at: time)
            heights.append(try #require(scene.placements.first).position.y)
        }
        let steady = heights.suffix(300)
        // Three centimetres of bobbing are left as three millimetres.
        #expect(try #require(steady.max()) - #require(steady.min()) < 0.01)
        for frame in 0..<600 {
            let time = 10 + Double(frame) / 60
            heights.append(
                try #require(try stage.scene(0, 0, up: 1.6 + 0.1 * (time - 10), at: time).placements.first).position.y)
        }
        // A tenth of a metre a second, followed by a second.
        #expect(abs(try #require(heights.last) - 2.5) < 0.05)
    }

    @Test("behaviour 33: a place truly at 200 m swings by 1.4° when the wearer steps 5 m aside, and is drawn near")
    func sideStep() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 0, 200)])
        let before = try #require(try stage.scene(0, 0, at: 0).placements.first)
        let scene = try stage.scene(5, 0, at: 4)
        let after = try #require(scene.placements.first)
        let swing = Angle.wrapped(try #require(after.bearing) - #require(before.bearing))
        #expect(abs(Angle.degrees(radians: swing) + 1.432) < 0.01)
        #expect((after.position - before.position).norm < 0.01)
        #expect(abs(after.displayDistance - 10.2) < 0.01)
    }

    @Test("a scene whose axes are turned has the same bearings and its points turned")
    func turnedScene() throws {
        var straight = try Stage()
        var turned = try Stage()
        turned.alignment = SceneAlignment(yaw: 0.7, translation: Vector3(12, -5, 2))
        let places = [try straight.streets.place("a", 30, 40), try straight.streets.place("b", -120, 60)]
        straight.composer.setPlaces(places)
        turned.composer.setPlaces(places)
        let (first, second) = (try straight.scene(3, 4, at: 0), try turned.scene(3, 4, at: 0))
        #expect(first.placements.map(\.id) == ["place/a", "place/b"])
        #expect(second.placements.map(\.id) == first.placements.map(\.id))
        for (a, b) in zip(first.placements, second.placements) {
            #expect(abs(Angle.wrapped(try #require(a.bearing) - #require(b.bearing))) < 1e-6)
            #expect(abs(a.distance - b.distance) < 1e-3)
            #expect((a.position - b.position).norm > 1)
        }
    }

    @Test("the same moments give the same scenes, whatever the order of the places")
    func deterministic() throws {
        var (one, two) = (try Stage(), try Stage())
        let places = try Self.grid(one, 12, spacing: 60)
        one.composer.setPlaces(places)
        two.composer.setPlaces(places.reversed())
        for second in 0..<30 {
            let (east, north) = Self.along(Double(second))
            let (a, b) = (
                try one.scene(east, north, at: Double(second)), try two.scene(east, north, at: Double(second))
            )
            #expect(a.placements == b.placements)
        }
    }
}
