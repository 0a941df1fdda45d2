import Geometry
import Glibc
import Messages
import Model
import Scene
import Testing

@Suite("What the placements of a composed scene say") struct ComposedPlacementTests {
    private static func placements(_ scene: SceneContent) -> [String: Placement] {
        Dictionary(uniqueKeysWithValues: scene.placements.map { ($0.id, $0) })
    }

    @Test("places have the band and the doubt of their distance, and the farthest is drawn first")
    func places() throws {
        var stage = try Stage()
        var settings = SceneSettings()
        settings.places.clusterShare = 0
        stage.composer.apply(settings)
        stage.composer.setFilter(PlaceFilter(radiusMetres: 1000))
        let wanted: [(id: String, east: Double, north: Double, band: DistanceBand)] = [
            ("a", 100, 0, .near), ("b", 0, 300, .middle), ("c", -700, 0, .far), ("d", 0, -450, .middle),
        ]
        stage.composer.setPlaces(try wanted.map { try stage.streets.place($0.id, $0.east, $0.north) })
        let found = Self.placements(try stage.scene(0, 0, at: 0))
        for place in wanted {
            let placement = try #require(found["place/" + place.id])
            let distance = hypot(place.east, place.north)
            #expect(placement.band == place.band)
            // The stage's wearer is known to 2 m (68 %) and 0.03 rad.
            let sigma = hypot(0.03, 2 / 1.51 / distance)
            #expect(abs(try #require(placement.sigma) - sigma) < 1e-4)
            #expect(abs(placement.distance - distance) < 0.1)
        }
        let farToNear = try ["c", "d", "b", "a"].map { try #require(found["place/" + $0]).order }
        #expect(farToNear == farToNear.sorted() && Set(farToNear).count == 4)
    }

    @Test("pieces of a route face along it, turns have their side, and the destination pulses", arguments: [0.0, 0.7])
    func route(yaw: Double) throws {
        var stage = try Stage()
        stage.alignment = SceneAlignment(yaw: yaw, translation: .zero)
        try stage.follow([(0, 0), (0, 30), (50, 30), (50, 80)])
        let scene = try stage.scene(0, 0, at: 0)
        let eastward = try #require(scene.placements.first { $0.kind == .arrow && abs(($0.alongRoute ?? 0) - 54) < 1 })
        let before = try #require(scene.placements.first { $0.kind == .arrow && abs(($0.alongRoute ?? 0) - 51) < 1 })
        let direction = try #require((eastward.position - before.position).normalized)
        // What is modelled to face −z.
        let facing = Rotation3.about(Vector3(0, 1, 0), by: try #require(eastward.course)) * Vector3(0, 0, -1)
        #expect(angle(facing, direction) < 0.01)
        #expect(!eastward.path.isEmpty)
        #expect(eastward.path.allSatisfy { abs(Angle.wrapped($0.course - (eastward.course ?? 0))) < 0.01 })
        let turns = scene.placements.filter { $0.kind == .turn }.sorted { $0.distance < $1.distance }
        #expect(turns.map(\.side) == [.right, .left])
        let destination = try #require(scene.placements.first { $0.kind == .destination })
        #expect(destination.pulse?.period == 1 && destination.pulse?.opacity == 0.1)
        #expect(abs(try #require(destination.alongRoute) - 130) < 0.5)
    }

    @Test("on the radar ahead is up: who faces east has the north on the left", arguments: [0.0, 0.7])
    func radar(yaw: Double) throws {
        var stage = try Stage()
        stage.alignment = SceneAlignment(yaw: yaw, translation: .zero)
        stage.composer.setPlaces([try stage.streets.place("n", 0, 150)])
        var view = SceneView(camera: Camera(horizontalFieldOfView: 1, aspect: 1.5), radarRange: 300)
        let north = try #require(try view.sent(try stage.scene(0, 0, heading: 90, at: 0)).changed.first)
        let point = try #require(north.radar)
        #expect(abs(point.x + 0.5) < 0.01 && abs(point.y) < 0.01)
        #expect(try #require(north.hint).u < 0, "to the left")
    }

    @Test("a ray a little beside a mark misses it")
    func beside() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 0, 40)])
        let scene = try stage.scene(0, 0, at: 0)
        // Half of 3° and the tolerance of 2°.
        for (degrees, isHit) in [(3.0, true), (4, false)] {
            let direction = Rotation3.about(Vector3(0, 1, 0), by: Angle.radians(degrees: degrees)) * Vector3(0, 0, -1)
            let ray = try #require(Ray(origin: scene.eye, direction: direction))
            #expect((scene.pick(ray, settings: stage.composer.settings.placements) != nil) == isHit)
        }
    }

    @Test("the scene reports events: the destination of a route, and a place that is reached, once each")
    func events() throws {
        var stage = try Stage()
        stage.composer.setPlaces([try stage.streets.place("a", 0, 60)])
        try stage.follow([(0, 0), (0, 300)])
        var reported: [String] = []
        for second in 0..<60 {
            let north = Double(second)
            try stage.fix(0, north)
            for event in stage.composer.observe(try stage.moment(0, north, at: Double(second))) {
                switch event {
                case .announcement(let announcement): reported.append(announcement.text(in: .english))
                case .proximity(let proximity): reported.append("\(proximity.kind) \(proximity.id)")
                default: reported.append("\(event)")
                }
            }
        }
        #expect(reported == ["Route to Home, 300 metres", "entered a"])
    }

    @Test("no side of a turn is announced by a compass that nothing has confirmed", arguments: [false, true])
    func sides(isConfirmed: Bool) throws {
        var stage = try Stage()
        stage.reasons = isConfirmed ? [] : .headingUnconfirmed
        try stage.follow([(0, 0), (0, 60), (200, 60)])
        var turns: [Announcement] = []
        for second in 0..<60 {
            let north = Double(second)
            try stage.fix(0, north)
            for event in stage.composer.observe(try stage.moment(0, north, at: Double(second))) {
                guard case .announcement(let announcement) = event, announcement.kind == .turn else { continue }
                turns.append(announcement)
            }
        }
        #expect(!turns.isEmpty && turns.allSatisfy { $0.side == (isConfirmed ? .right : nil) })
    }
}
