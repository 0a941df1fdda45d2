import Geometry
import Model
import Scene
import Testing

@Suite("The scene of one display") struct SceneViewTests {
    private static func view(radar: Double? = nil, events: Bool = true) -> SceneView {
        SceneView(
            camera: Camera(horizontalFieldOfView: 1, aspect: 16 / 9), radarRange: radar, takesEvents: events)
    }

    @Test(
        "what is sent, applied in order, is the scene: through motion, routes, filters, anchors and new frames",
        arguments: 1...6)
    func changesAreTheScene(seed: Int) throws {
        var draws = Draws(state: UInt64(seed))
        var stage = try Stage()
        let places = try (0..<80).map {
            try stage.streets.place("p\($0)", draws.number(-600...600), draws.number(-600...600))
        }
        stage.composer.setPlaces(places)
        var view = Self.view(radar: 300)
        var follower = Follower()
        var (east, north, heading, time, skipped, missed) = (0.0, 0.0, 0.0, 0.0, 0, 0)
        for step in 0..<400 {
            time += draws.number(0.01...0.5)
            east += draws.number(-0.5...0.9)
            north += draws.number(-0.5...0.9)
            heading += draws.number(-20...20)
            switch step % 40 {
            case 7: try stage.follow([(east, north), (east + 80, north), (east + 80, north + 60)], from: east, north)
            case 31: try stage.follow(nil)
            case 13: stage.composer.setFilter(PlaceFilter(radiusMetres: draws.number(200...1000)))
            case 19: try stage.place(Anchor(id: "\(step % 5)", site: .scene(Vector3(Double(step), 0, 1))))
            case 23: _ = stage.composer.removeAnchor(id: "\(step % 5)")
            case 39: stage.generation += step % 3 == 0 ? 1 : 0
            default: break
            }
            try stage.fix(east, north)
            let scene = try stage.scene(east, north, heading: heading, at: time)
            if draws.number(0...1) < 0.3 {
                view.skip()
                skipped += 1
                continue
            }
            if let update = view.update(to: scene, settings: stage.composer.settings.placements) {
                #expect(update.missed == skipped)
                missed += skipped
                skipped = 0
                follower.take(update)
            }
            #expect(follower.agrees(with: scene), "step \(step)")
        }
        #expect(follower.updates > 200 && missed > 80)
    }

    @Test("what stands still is sent once, and then only that nothing has changed")
    func stillness() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 30, 40)])
        var view = Self.view()
        var sent: [SceneUpdate] = []
        for frame in 0..<180 {
            let scene = try stage.scene(0, 0, at: Double(frame) / 60)
            if let update = view.update(to: scene, settings: stage.composer.settings.placements) { sent.append(update) }
        }
        #expect(sent.count == 3)
        #expect(sent.dropFirst().allSatisfy { $0.changed.isEmpty && $0.removed.isEmpty && !$0.isSnapshot })
    }

    @Test("who reads once or twice a second hears every second that nothing has changed", arguments: [1.0, 1.5, 2, 10])
    func silence(rate: Double) throws {
        var draws = Draws(state: 1)
        var stage = try Stage()
        var view = Self.view()
        var heard: [Double] = []
        for look in 0..<Int(20 * rate) {
            // A pose is a few milliseconds late.
            let seconds = Double(look) / rate + draws.number(0...0.016)
            if view.update(to: try stage.scene(0, 0, at: seconds), settings: stage.composer.settings.placements) != nil
            {
                heard.append(seconds)
            }
        }
        let longest = zip(heard, heard.dropFirst()).map { $1 - $0 }.max() ?? .infinity
        #expect(longest < 1.05)
        #expect(heard.count <= Int(20 * max(1, min(rate, 1.5))))
    }

    @Test("steps too small to see add up to one that is sent")
    func creep() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 0, 40)])
        var view = Self.view()
        var follower = Follower()
        for frame in 0..<600 {
            // A centimetre a frame.
            let scene = try stage.scene(0, 0.01 * Double(frame), at: Double(frame) / 60)
            if let update = view.update(to: scene, settings: stage.composer.settings.placements) {
                follower.take(update)
            }
            #expect(follower.agrees(with: scene))
        }
        let known = try #require(follower.placements["place/a"])
        #expect(abs(known.placement.distance - 34) < 1.8)
        #expect(known.revision > 3)
    }

    @Test(
        "readers of one view, each as slow as it likes and come when it likes, know the scene after each message",
        arguments: 1...6)
    func manyReaders(seed: Int) throws {
        var draws = Draws(state: UInt64(seed))
        var stage = try Stage()
        stage.composer.setPlaces(
            try (0..<60).map {
                try stage.streets.place("p\($0)", draws.number(-400...400), draws.number(-400...400))
            })
        var view = Self.view()
        var readers: [(reader: SceneReader, follower: Follower, skips: Double, missed: Int)] = []
        var (east, north, time) = (0.0, 0.0, 0.0)
        for step in 0..<400 {
            if step % 60 == 0 {
                readers.append((SceneReader(events: view.events), Follower(), draws.number(0...0.8), 0))
            }
            time += draws.number(0.01...0.5)
            east += draws.number(-2...3)
            north += draws.number(-2...3)
            switch step % 50 {
            case 7: try stage.follow([(east, north), (east + 80, north), (east + 80, north + 60)], from: east, north)
            case 31: try stage.follow(nil)
            case 19: try stage.place(Anchor(id: "\(step % 5)", site: .scene(Vector3(Double(step), 0, 1))))
            case 23: _ = stage.composer.removeAnchor(id: "\(step % 5)")
            case 49: stage.generation += step % 4 == 1 ? 1 : 0
            default: break
            }
            try stage.fix(east, north)
            let scene = try stage.scene(east, north, heading: draws.number(-30...30), at: time)
            view.follow(scene, settings: stage.composer.settings.placements)
            for index in readers.indices {
                if draws.number(0...1) < readers[index].skips {
                    readers[index].reader.missed += 1
                    readers[index].missed += 1
                } else if view.hasChanges(for: readers[index].reader) {
                    let update = try #require(view.update(for: readers[index].reader))
                    #expect(update.missed == readers[index].missed)
                    readers[index].missed = 0
                    readers[index].follower.take(update)
                    readers[index].reader = view.updated(readers[index].reader)
                    #expect(readers[index].follower.agrees(with: scene), "step \(step), reader \(index)")
                }
            }
            if step % 3 == 0 { view.forget(knownTo: readers.map(\.reader)) }
        }
        #expect(readers.allSatisfy { $0.follower.updates > 2 })
    }

    @Test("a reader gets the events since it came, and those it was too late for are counted")
    func eventsOfEach() throws {
        var stage = try Stage()
        var view = Self.view()
        func happen(_ numbers: Range<Int>) {
            for number in numbers {
                view.events.add(
                    TimedEvent(time: BootTime(nanoseconds: Int64(number)), event: .anchorLost(id: "\(number)")))
            }
        }
        let settings = stage.composer.settings.placements
        var early = SceneReader(events: view.events)
        view.follow(try stage.scene(0, 0, at: 0), settings: settings)
        early = view.updated(early)
        happen(0..<10)
        var late = SceneReader(events: view.events)
        happen(10..<70)
        view.follow(try stage.scene(0, 0, at: 0.1), settings: settings)
        let (first, second) = (try #require(view.update(for: early)), try #require(view.update(for: late)))
        #expect(first.events.map(\.time.nanoseconds) == Array(6..<70) && first.eventsDropped == 6)
        #expect(second.events.map(\.time.nanoseconds) == Array(10..<70) && second.eventsDropped == 0)
        (early, late) = (view.updated(early), view.updated(late))
        view.follow(try stage.scene(0, 0, at: 0.2), settings: settings)
        #expect(!view.hasChanges(for: early) && !view.hasChanges(for: late))
        #expect(early.revision == 2 && late.revision == 1)
    }

    @Test("behaviour 40: after a step of the wearer nothing is sent again that a renderer computes from its pose")
    func reckoned() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("far", 30, 300)])
        var view = Self.view()
        _ = try view.sent(try stage.scene(0, 0, at: 0))
        for frame in 1...60 {
            let scene = try stage.scene(0.02 * Double(frame), 0.07 * Double(frame), at: Double(frame) / 60)
            let update = view.update(to: scene, settings: stage.composer.settings.placements)
            #expect(update?.changed.isEmpty ?? true)
        }
    }

    @Test("behaviour 38: something that comes between others, or goes, has none of them sent anew")
    func insertion() throws {
        var stage = try Stage()
        _ = try stage.scene(0, 0, at: -1)
        // All on the display, so that no hint changes.
        for number in 0..<20 {
            let site = Vector3(0.1 * Double(number), 0, -20 - 5 * Double(number))
            try stage.place(Anchor(id: "\(number)", site: .scene(site), lifetime: .daemon))
        }
        var view = Self.view()
        #expect(try view.sent(try stage.scene(0, 0, at: 0)).changed.count == 20)
        try stage.place(Anchor(id: "new", site: .scene(Vector3(-3, 0, -52)), lifetime: .daemon))
        let came = try view.sent(try stage.scene(0, 0, at: 0.1))
        #expect(came.changed.map(\.placement.id) == ["anchor/new"])
        _ = stage.composer.removeAnchor(id: "new")
        let went = try view.sent(try stage.scene(0, 0, at: 0.2))
        #expect(went.changed.isEmpty && went.removed == ["anchor/new"])
    }

    @Test("another generation is a snapshot")
    func generation() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 30, 40)])
        var view = Self.view()
        #expect(try view.sent(try stage.scene(0, 0, at: 0)).isSnapshot)
        stage.generation = 2
        let update = try view.sent(try stage.scene(0, 0, at: 0.1))
        #expect(update.isSnapshot && update.revision == 2 && update.generation == 2)
        #expect(update.changed.map(\.placement.id) == ["place/a"])
        #expect(update.removed.isEmpty)
    }

    @Test("events wait for a reader that does not read, the oldest go beyond 64, and are counted")
    func events() throws {
        var stage = try Stage()
        var view = Self.view()
        var deaf = Self.view(events: false)
        let settings = stage.composer.settings.placements
        _ = view.update(to: try stage.scene(0, 0, at: 0), settings: settings)
        for number in 0..<100 {
            let time = BootTime(nanoseconds: Int64(number))
            view.events.add(TimedEvent(time: time, event: .anchorLost(id: "\(number)")))
            deaf.events.add(TimedEvent(time: time, event: .anchorLost(id: "\(number)")))
        }
        let update = try view.sent(try stage.scene(0, 0, at: 0.1))
        #expect(update.events.map(\.time.nanoseconds) == Array(36..<100))
        #expect(update.eventsDropped == 36)
        #expect(view.update(to: try stage.scene(0, 0, at: 0.2), settings: settings) == nil)
        #expect(try deaf.sent(try stage.scene(0, 0, at: 0.1)).events.isEmpty)
    }

    @Test("each display has its own: a wide one sees what a narrow one points to")
    func cameras() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 40, 40)])
        var narrow = SceneView(camera: Camera(horizontalFieldOfView: Angle.radians(degrees: 40), aspect: 1))
        var wide = SceneView(camera: Camera(horizontalFieldOfView: Angle.radians(degrees: 120), aspect: 1))
        let scene = try stage.scene(0, 0, at: 0)
        let pointed = try #require(try narrow.sent(scene).changed.first)
        let seen = try #require(try wide.sent(scene).changed.first)
        #expect(!pointed.isVisible && seen.isVisible && seen.hint == nil)
        #expect(abs(Angle.degrees(radians: try #require(pointed.hint).turn) - 45) < 0.5)
        #expect(pointed.placement == seen.placement)
    }

    @Test("a ray picks what it hits, and the line of sight what the wearer looks at")
    func picking() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 40, 40), try stage.streets.place("b", -40, 40)])
        try stage.place(Anchor(id: "h", site: .head(Vector3(0, 0.5, -1))))
        let scene = try stage.scene(0, 0, heading: 45, at: 0)
        let settings = stage.composer.settings.placements
        let sight = try #require(Ray(origin: scene.eye, direction: scene.rotationSceneFromBody * Vector3(0, 0, -1)))
        let hit = try #require(scene.pick(sight, settings: settings))
        #expect(hit.viewed.placement.id == "place/a")
        #expect(abs(hit.distance - 56.57) < 0.1)
        let up = try #require(
            Ray(origin: scene.eye, direction: scene.rotationSceneFromBody * Vector3(0, 0.5, -1)))
        #expect(scene.pick(up, headLocked: true, settings: settings)?.viewed.placement.id == "anchor/h")
        #expect(scene.pick(up, settings: settings) == nil, "only where it is asked for")
        let away = try #require(Ray(origin: scene.eye, direction: Vector3(0, -1, 0)))
        #expect(scene.pick(away, settings: settings) == nil)
    }

    @Test("behaviour 41: an anchor of the head straight ahead does not take what the wearer looks at")
    func picksPastHeadLocked() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 40, 40)])
        try stage.place(Anchor(id: "cross", site: .head(Vector3(0, 0, -1))))
        let settings = stage.composer.settings.placements
        for (heading, id) in [(45.0, "place/a" as String?), (225, nil)] {
            let scene = try stage.scene(0, 0, heading: heading, at: heading)
            let sight = try #require(Ray(origin: scene.eye, direction: scene.rotationSceneFromBody * Vector3(0, 0, -1)))
            #expect(scene.pick(sight, settings: settings)?.viewed.placement.id == id)
            let asked = try #require(scene.pick(sight, headLocked: true, settings: settings))
            #expect(asked.viewed.placement.id == "anchor/cross" && asked.offAxis < 1e-6)
        }
    }
}
