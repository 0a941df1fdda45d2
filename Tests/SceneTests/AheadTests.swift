import Geometry
import Scene
import Testing

@Suite("Ahead")
struct AheadTests {
    let streets: Streets

    init() throws { streets = try Streets() }

    private func ahead(_ east: Double, _ north: Double, headingDegrees: Double?) throws -> Ahead {
        Ahead(position: try streets.position(east, north), heading: headingDegrees.map { $0 * .pi / 180 })
    }

    @Test("behaviour 15: distance, bearing and the way to turn")
    func directions() throws {
        let places = try [
            streets.place("north", 0, 10), streets.place("east", 20, 0), streets.place("south", 0, -30),
            streets.place("west", -40, 0),
        ]
        let items = try ahead(0, 0, headingDegrees: 350)
            .items(progress: nil, places: places, radius: 500, limit: 10)
        #expect(items.map(\.id) == ["north", "east", "south", "west"].map(PlacementID.place))
        #expect(items.allSatisfy { $0.kind == .place && $0.alongRoute == nil })
        let expected = [(10.0, 0.0, 10.0), (20, 90, 100), (30, 180, -170), (40, 270, -80)]
        for (item, (distance, bearing, turn)) in zip(items, expected) {
            // The plane lies 400 m above the ellipsoid, on which distances count: 63 ppm.
            #expect(abs(item.distance - distance) < 0.004)
            // The meridians converge: 1e-5° over 40 m.
            let off = item.bearing * 180 / .pi - bearing
            #expect(abs(off - 360 * (off / 360).rounded()) < 1e-3)
            #expect(abs(try #require(item.turn) * 180 / .pi - turn) < 1e-3)
        }
    }

    @Test("no way to turn without a heading")
    func noHeading() throws {
        let items = try ahead(0, 0, headingDegrees: nil)
            .items(progress: nil, places: [streets.place("a", 0, 10)], radius: 500, limit: 10)
        #expect(items.first?.turn == nil)
        #expect(items.count == 1)
    }

    @Test("behaviour 30: within the radius, and no more than the limit")
    func bounds() throws {
        let places = try (1...20).map { try streets.place("p\($0)", 0, Double($0) * 10) }
        let here = try ahead(0, 0, headingDegrees: 0)
        let near = here.items(progress: nil, places: places.reversed(), radius: 105, limit: 100)
        #expect(near.map(\.id) == (1...10).map { "place/p\($0)" })
        #expect(
            here.items(progress: nil, places: places, radius: 500, limit: 3).map(\.id) == [
                "place/p1", "place/p2", "place/p3",
            ])
        #expect(here.items(progress: nil, places: places, radius: 500, limit: 0).isEmpty)
        #expect(here.items(progress: nil, places: places, radius: -1, limit: 5).isEmpty)
    }

    @Test("what is equally far comes in the order of the ids")
    func ties() throws {
        let places = try ["c", "a", "b"].map { try streets.place($0, 0, 10) }
        let items = try ahead(0, 0, headingDegrees: 0).items(progress: nil, places: places, radius: 50, limit: 9)
        #expect(items.map(\.id) == ["place/a", "place/b", "place/c"])
    }

    @Test("a place exactly here lies straight ahead")
    func here() throws {
        let items = try ahead(0, 0, headingDegrees: 75)
            .items(progress: nil, places: [streets.place("a", 0, 0)], radius: 50, limit: 9)
        let item = try #require(items.first)
        #expect(item.distance == 0 && item.turn == 0)
    }

    @Test("turns and the destination, straight and along the route")
    func route() throws {
        var progress = try streets.progress([(0, 0), (0, 100), (50, 100), (50, 20)])
        progress.update(position: try streets.position(0, 40), horizontalAccuracy: 3)
        let items = try ahead(0, 40, headingDegrees: 0)
            .items(progress: progress, places: [streets.place("a", -5, 40)], radius: 500, limit: 9)
        #expect(items.map(\.kind) == [.place, .destination, .turn, .turn])
        #expect(items[2].routeTurn?.side == .right && items[2].name.isEmpty && items[2].id == "r/turn/100")
        #expect(items[1].name == "Home")
        let along = items.compactMap(\.alongRoute)
        try #require(along.count == 3)
        for (measured, expected) in zip(along, [190.0, 60, 110]) { #expect(abs(measured - expected) < 0.02) }
        #expect(abs(items[1].distance - 53.85) < 0.01, "√(50² + 20²)")
    }

    @Test("a turn that is past is no longer ahead")
    func past() throws {
        var progress = try streets.progress([(0, 0), (0, 100), (50, 100), (50, 20)])
        progress.update(position: try streets.position(20, 100), horizontalAccuracy: 3)
        let items = try ahead(20, 100, headingDegrees: 90).items(progress: progress, places: [], radius: 500, limit: 9)
        #expect(items.map(\.kind) == [.turn, .destination])
        #expect(items[0].id == "r/turn/150")
    }

    @Test("off the route the way back to it is shown, after arrival nothing of it")
    func offRouteAndArrived() throws {
        var progress = try streets.progress([(0, 0), (0, 100)])
        progress.update(position: try streets.position(0, 40), horizontalAccuracy: 3)
        for _ in 1...4 { progress.update(position: try streets.position(60, 40), horizontalAccuracy: 3) }
        let lost = try ahead(60, 40, headingDegrees: 0).items(progress: progress, places: [], radius: 500, limit: 9)
        #expect(lost.first?.kind == .route)
        #expect(abs(try #require(lost.first).bearing - 1.5 * .pi) < 1e-4)
        progress.update(position: try streets.position(0, 95), horizontalAccuracy: 3)
        #expect(progress.state == .arrived)
        let arrived = try ahead(0, 95, headingDegrees: 0).items(progress: progress, places: [], radius: 500, limit: 9)
        #expect(arrived.isEmpty)
    }

    @Test("no route items before the first position")
    func notBegun() throws {
        let progress = try streets.progress([(0, 0), (0, 100)])
        #expect(try ahead(0, 0, headingDegrees: 0).items(progress: progress, places: [], radius: 500, limit: 9).isEmpty)
    }
}
