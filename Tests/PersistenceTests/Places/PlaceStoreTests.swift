import Foundation
import Geometry
import Scene
import Persistence
import Testing

@Suite("Place store")
struct PlaceStoreTests {
    private func place(_ id: String, _ latitude: Double, _ longitude: Double, name: String = "x") throws -> Place {
        let position = GeodeticPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 10)
        return Place(id: id, name: name, kind: "cafe", position: try #require(position))
    }

    private func ids(_ store: PlaceStore, _ latitude: Double, _ longitude: Double, radius: Double) throws -> Set<String>
    {
        let center = try place("", latitude, longitude).position
        return Set(try store.around(center, radius: radius, limit: 100).map(\.id))
    }

    @Test("finds what lies in the radius and leaves out what is far")
    func near() throws {
        let store = try PlaceStore()
        try store.insert([place("near", 47.001, 8.0), place("far", 47.1, 8.0)])
        #expect(try ids(store, 47, 8, radius: 200) == ["near"])
    }

    @Test("finds places on the other side of the antimeridian and around a pole")
    func wrapping() throws {
        let store = try PlaceStore()
        try store.insert([place("fiji", -17, -179.9999), place("pole", 89.9999, 90)])
        #expect(try ids(store, -17, 179.9999, radius: 100) == ["fiji"])
        #expect(try ids(store, 89.9999, -90, radius: 100) == ["pole"])
    }

    @Test(
        "behaviour 44: places on the borders of bands and at the poles are found from both sides",
        arguments: [-90, -89.998, -0.002, 0, 0.002, 47, 47.002, 47.004, 89.998, 90])
    func bands(latitude: Double) throws {
        let store = try PlaceStore()
        let latitudes = [latitude.nextDown, latitude, latitude.nextUp].filter { (-90...90).contains($0) }
        try store.insert(latitudes.enumerated().map { try place("\($0)", $1, 8) })
        // 56 m; beyond a pole, on the opposite meridian.
        for side in [latitude - 0.0005, latitude, latitude + 0.0005] {
            let isBeyond = side.magnitude > 90
            let center = try Sample.position(isBeyond ? (side > 0 ? 180 : -180) - side : side, isBeyond ? -172 : 8)
            let found = try store.near(center, radius: 60, filter: nil, limit: 10)
            #expect(found.count == latitudes.count, "\(side)")
            #expect(try store.near(center, radius: 50, filter: nil, limit: 10).isEmpty == (side != latitude))
        }
    }

    @Test(
        "behaviour 44: places at 180 degrees are found from both sides, whichever sign they have",
        arguments: [-89.9, -17, 0, 47.002, 89.9])
    func antimeridian(latitude: Double) throws {
        let store = try PlaceStore()
        let longitudes = [180, 180.0.nextDown, -180, (-180.0).nextUp]
        try store.insert(longitudes.enumerated().map { try place("\($0)", latitude, $1) })
        // 56 m at the equator, and less elsewhere.
        for side in [179.9995, 180, -180, -179.9995] {
            let found = try store.near(Sample.position(latitude, side), radius: 60, filter: nil, limit: 10)
            #expect(found.count == longitudes.count, "\(side)")
        }
        #expect(try store.near(Sample.position(latitude, 0), radius: 60, filter: nil, limit: 10).isEmpty)
    }

    @Test("keeps the nearest when there are more than the limit")
    func limit() throws {
        let store = try PlaceStore()
        try store.insert((1...50).map { try place("p\($0)", 47 + Double($0) * 1e-5, 8) }.reversed())
        let center = try place("", 47, 8).position
        #expect(try store.around(center, radius: 500, limit: 3).map(\.id) == ["p1", "p2", "p3"])
    }

    @Test("an id names one place: the newer replaces the older")
    func replace() throws {
        let store = try PlaceStore()
        try store.insert([place("a", 47, 8, name: "old")])
        try store.insert([place("a", 48, 8, name: "né'w")])
        #expect(try ids(store, 47, 8, radius: 1000).isEmpty)
        let found = try store.around(place("", 48, 8).position, radius: 10, limit: 5)
        #expect(found.map(\.name) == ["né'w"])
    }

    @Test("keeps its places when it is opened again")
    func persistence() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let store = try PlaceStore(directory: folder.path, name: "places.sqlite")
            try store.insert([place("a", 47, 8)])
        }
        #expect(try ids(PlaceStore(directory: folder.path, name: "places.sqlite"), 47, 8, radius: 10) == ["a"])
    }

    @Test("says which file cannot be opened")
    func unopenable() {
        #expect {
            try PlaceStore(directory: "/nonexistent/folder", name: "places.sqlite")
        } throws: {
            "\($0)".hasPrefix("/nonexistent/folder/places.sqlite: ")
        }
    }

    @Test("behaviour 30: the nearest within the radius are found in a dense city, whatever the limit")
    func dense() throws {
        let store = try PlaceStore()
        var random = SplitRandom(state: 7)
        let places = try (0..<3000).map { number in
            try Sample.place(
                "p\(number)", 47 + random.next() * 0.02, 8 + random.next() * 0.03,
                kind: number % 3 == 0 ? "cafe" : "stop", isFavorite: number % 50 == 0)
        }
        try store.insert(places)
        let center = try Sample.position(47.01, 8.015)
        let byDistance = places.map { ($0, Geodesic(from: center, to: $0.position).distance) }.sorted { $0.1 < $1.1 }
        for (radius, limit) in [(50.0, 10), (500, 60), (500, 100_000), (1000, 240), (5000, 7)] {
            for filter in [
                nil, PlaceFilter(kinds: ["cafe"], radiusMetres: 500),
                PlaceFilter(kinds: ["stop", "cafe"], radiusMetres: 500, favoritesOnly: true),
            ] {
                let admitted = byDistance.filter { filter?.admits($0.0) ?? true }
                let expected = admitted.prefix { $0.1 <= radius }.prefix(limit).map(\.1)
                let found = try store.around(center, radius: radius, filter: filter, limit: limit)
                let distances = found.map { Geodesic(from: center, to: $0.position).distance }
                // The order is that of distances good to centimetres, and the circle a hundredth wider.
                #expect(distances.count <= limit && distances.allSatisfy { $0 <= radius * 1.011 })
                #expect(distances.count >= expected.count)
                #expect(zip(distances, expected).allSatisfy { ($0 - $1).magnitude < 0.05 }, "\(radius) m, \(limit)")
                #expect(found.allSatisfy { filter?.admits($0) ?? true })
            }
        }
    }

    @Test("behaviour 44: a place that moves is found where it is and no longer where it was")
    func moved() throws {
        let store = try PlaceStore()
        for step in 0..<5 {
            try store.insert([Sample.place("a", 47 + Double(step), 8)])
            for other in 0..<5 {
                let found = try store.around(Sample.position(47 + Double(other), 8), radius: 100, limit: 5)
                #expect(found.isEmpty == (other != step))
            }
        }
        #expect(try store.flaws() == [])
    }

    @Test("every change raises the revision, also one by another connection")
    func revision() throws {
        let file = PlaceFile()
        let (store, other) = (try PlaceStore(file), try PlaceStore(file, isFirst: false))
        var last = store.revision
        func expectChange(_ isExpected: Bool = true, _ body: () throws -> Void) throws {
            try body()
            #expect((store.revision > last) == isExpected)
            last = store.revision
        }
        try expectChange { try store.insert([Sample.place("a", 47, 8)]) }
        try expectChange { _ = try other.setFavorite("a", true) }
        try expectChange { _ = try store.use(PlaceFilter(radiusMetres: 300)) }
        try expectChange(false) { _ = try store.count() }
        #expect(try store.count() == 1, "both are connections to the same places")
    }
}

/// Numbers in [0, 1) that look random and are the same every time.
private struct SplitRandom {
    var state: UInt64

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) * 0x1p-53
    }
}
