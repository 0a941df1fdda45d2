import Foundation
import Geodesy
import Scene
import Service
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
        let path = folder.appendingPathComponent("places.sqlite").path
        do {
            let store = try PlaceStore(path: path)
            try store.insert([place("a", 47, 8)])
        }
        #expect(try ids(PlaceStore(path: path), 47, 8, radius: 10) == ["a"])
    }

    @Test("says which file cannot be opened")
    func unopenable() {
        #expect {
            try PlaceStore(path: "/nonexistent/places.sqlite")
        } throws: {
            "\($0)".hasPrefix("/nonexistent/places.sqlite: ")
        }
    }
}
