import Geometry
import Glibc
import Scene
import Testing

@Suite("Place selection")
struct PlaceSelectionTests {
    let settings = SceneSettings().places
    let streets: Streets

    init() throws { streets = try Streets() }

    /// `count` places to the east, 1 m apart from `first` on.
    func row(_ count: Int, from first: Double) throws -> [Place] {
        try (0..<count).map { try streets.place("p\($0)", first + Double($0), 0) }
    }

    func choose(
        _ selection: inout PlaceSelection, _ places: [Place], east: Double = 0, filter: PlaceFilter? = nil
    ) throws -> [NearbyPlace] {
        selection.choose(
            places, around: try streets.position(east, 0), filter: filter ?? PlaceFilter(settings: settings),
            settings: settings)
    }

    @Test("behaviour 30: places within 500 m, the nearest first, with distance and bearing")
    func within() throws {
        var selection = PlaceSelection()
        let places = [
            try streets.place("far", 501, 0), try streets.place("b", 0, -300), try streets.place("a", 499, 0),
            try streets.place("c", -3, 4),
        ]
        let chosen = try choose(&selection, places)
        #expect(chosen.map(\.place.id) == ["c", "b", "a"])
        // Half a millimetre is what the plane of the test is off the ellipsoid by, 400 m above it and 500 m away.
        #expect(abs(chosen[0].distance - 5) < 5e-3 && abs(chosen[2].distance - 499) < 0.05)
        #expect(abs(chosen[1].bearing - .pi) < 1e-4 && abs(chosen[2].bearing - .pi / 2) < 1e-4)
    }

    @Test("behaviour 30: one that is shown stays up to 10 % beyond the radius, one that is not waits within it")
    func radiusHysteresis() throws {
        var selection = PlaceSelection()
        let places = [try streets.place("a", 500, 0)]
        var isShown: [Bool] = []
        for east in [-5.0, 5, -5, -45, -55, -45, -5, 5] {
            isShown.append(try !choose(&selection, places, east: east).isEmpty)
        }
        #expect(isShown == [false, true, true, true, false, false, false, true])
    }

    @Test("behaviour 30: at most 60 are shown, the nearest; one that is shown stays up to the 66th")
    func countHysteresis() throws {
        var selection = PlaceSelection()
        let places = try row(100, from: 100)
        func shown(_ places: [Place]) throws -> Set<String> {
            Set(try choose(&selection, places).map(\.place.id))
        }
        let first = Set(places.prefix(60).map(\.id))
        #expect(try shown(places) == first)
        // Those of the ranks 61 to 66 come nearer than those of 55 to 60: none has to go.
        var swapped = places
        for rank in 54..<60 { swapped.swapAt(rank, rank + 6) }
        let exchanged = zip(swapped, places).map { Place(id: $0.id, name: "", kind: "", position: $1.position) }
        #expect(try shown(exchanged) == first)
        // Beyond the 66th one has to.
        var farther = exchanged
        farther.append(try streets.place("p59", 400, 0))
        farther.removeAll { $0.id == "p59" && $0.name.isEmpty }
        let third = try shown(farther)
        #expect(!third.contains("p59") && third.count == 60)
    }

    @Test("behaviour 30: one that is well within the cap takes the seat of the farthest")
    func newcomer() throws {
        var selection = PlaceSelection()
        let places = try row(100, from: 100)
        _ = try choose(&selection, places)
        let chosen = try choose(&selection, places + [try streets.place("new", 10, 0)])
        #expect(chosen.count == 60 && chosen[0].place.id == "new")
        #expect(!chosen.contains { $0.place.id == "p59" })
        // And it does not come back at once when the newcomer goes a little farther.
        let later = try choose(&selection, places + [try streets.place("new", 162, 0)])
        #expect(later.contains { $0.place.id == "new" } && later.count == 60)
    }

    @Test("behaviour 30: with the noise of a position hardly anything comes or goes", arguments: [UInt64(1), 2, 3])
    func flicker(seed: UInt64) throws {
        var draws = Draws(state: seed)
        var places: [Place] = []
        for index in 0..<200 {
            places.append(try streets.place("p\(index)", draws.number(-600...600), draws.number(-600...600)))
        }
        var selection = PlaceSelection()
        var last: Set<String> = []
        var changes = 0
        for step in 0..<600 {
            let position = try streets.position(4 * draws.normal(), 4 * draws.normal())
            let chosen = selection.choose(
                places.shuffled(using: &draws), around: position, filter: PlaceFilter(settings: settings),
                settings: settings)
            let shown = Set(chosen.map(\.place.id))
            if step > 0 { changes += shown.symmetricDifference(last).count }
            last = shown
            #expect(shown.count <= 60)
        }
        // One place may find its seat in the course of ten minutes; without hysteresis it is thousands.
        #expect(changes <= 4)
    }

    @Test("behaviour 30: filters by kind and by favourites; another filter starts over")
    func filters() throws {
        var selection = PlaceSelection()
        var places = [try streets.place("a", 10, 0), try streets.place("b", 20, 0), try streets.place("c", 450, 0)]
        places[1].kind = "stop"
        places[2].isFavorite = true
        func ids(_ filter: PlaceFilter) throws -> [String] {
            try choose(&selection, places, filter: filter).map(\.place.id)
        }
        #expect(try ids(PlaceFilter(radiusMetres: 500)) == ["a", "b", "c"])
        #expect(try ids(PlaceFilter(kinds: ["stop"], radiusMetres: 500)) == ["b"])
        #expect(try ids(PlaceFilter(kinds: ["stop", "cafe"], radiusMetres: 500)) == ["a", "b", "c"])
        #expect(try ids(PlaceFilter(radiusMetres: 500, favoritesOnly: true)) == ["c"])
        // 450 m is within 10 % of 420 m, but this radius was never kept for it.
        #expect(try ids(PlaceFilter(radiusMetres: 420)) == ["a", "b"])
    }

    @Test("what is equally far comes in the order of the ids, whatever the order of the candidates")
    func ties() throws {
        let places = try (0..<80).map { Place(id: "p\($0)", name: "", kind: "", position: try streets.position(50, 0)) }
        var draws = Draws(state: 2)
        for _ in 0..<5 {
            var selection = PlaceSelection()
            let chosen = try choose(&selection, places.shuffled(using: &draws))
            #expect(chosen.map(\.place.id) == places.map(\.id).sorted().prefix(60).map { $0 })
        }
    }
}

@Suite("Place filters")
struct PlaceFilterTests {
    let settings = SceneSettings().places

    @Test("behaviour 30: the radius from 200 to 1000 m, at most three kinds, each once")
    func problems() {
        #expect(PlaceFilter(settings: settings).problem(settings) == nil)
        #expect(PlaceFilter(kinds: ["b", "a", "b"], radiusMetres: 200).kinds == ["a", "b"])
        #expect(PlaceFilter(kinds: ["a", "b", "c"], radiusMetres: 1000).problem(settings) == nil)
        for radius in [199.0, 1001, -.infinity, .nan] {
            let problem = PlaceFilter(radiusMetres: radius).problem(settings)
            #expect(problem?.description.contains("from 200.0 to 1000.0 m") == true)
        }
        let four = PlaceFilter(kinds: ["a", "b", "c", "d"], radiusMetres: 500).problem(settings)
        #expect(four == .tooManyKinds(4, maximum: 3))
        #expect(PlaceFilter(kinds: [""], radiusMetres: 500).problem(settings) == .kindLength)
        let long = String(repeating: "ä", count: 60)
        #expect(PlaceFilter(kinds: [long], radiusMetres: 500).problem(settings) == .kindLength)
    }

    @Test("candidates are needed from 10 % beyond the radius")
    func reach() {
        #expect(abs(PlaceFilter(radiusMetres: 500).reach(settings) - 550) < 1e-9)
    }
}

@Suite("Distances near by")
struct NearFieldTests {
    @Test("are those of the geodesic", arguments: [-79.0, -47, 0, 20, 60, 79.9, 85, 89.999])
    func geodesic(latitude: Double) throws {
        var draws = Draws(state: 8)
        for longitude in [0.0, 179.999, -180] {
            let center = try #require(
                GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
            let field = NearField(around: center)
            for _ in 0..<100 {
                let place = try #require(
                    center.destination(bearing: draws.number(-3...3), distance: draws.number(0...2500)))
                let line = Geodesic(from: center, to: place)
                let (distance, bearing) = (field.distance(to: place), field.bearing(to: place))
                // What the radii change by over 2 km.
                #expect(abs(distance - line.distance) < 5e-3)
                #expect(abs(Angle.wrapped(bearing - (line.bearing ?? 0))) < 1e-6)
            }
            #expect(field.distance(to: center) == 0 && field.bearing(to: center) == 0)
        }
    }
}
