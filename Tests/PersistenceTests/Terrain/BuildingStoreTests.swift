import Foundation
import Geometry
import Persistence
import Scene
import Testing

@Suite("The stored buildings")
struct BuildingStoreTests {
    private let folder: String
    private let path: String
    private let store: BuildingStore

    init() throws {
        folder = try SamplePlan.folder()
        path = folder + "/buildings.db"
        store = BuildingStore(path: path, capacity: 5)
    }

    private func clean() { SamplePlan.clean(folder) }

    private func position(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
    }

    /// Square of 22 m with its south-western corner there.
    private func building(_ id: Int64, _ latitude: Double, _ longitude: Double, height: Double = 10) throws -> Building
    {
        let corners = [(0.0, 0.0), (0, 0.0002), (0.0002, 0.0002), (0.0002, 0)]
        let ring = try corners.map { Building.Vertex(try position(latitude + $0.0, longitude + $0.1)) }
        return try #require(Building(id: id, rings: [ring], height: height))
    }

    private func roof(_ latitude: Double, _ longitude: Double, in store: BuildingStore) throws -> Double? {
        try store.roof(at: position(latitude, longitude))
    }

    @Test(
        "buildings are found again after a restart, replace those of their number, and are removed by cell or together")
    func kept() throws {
        defer { clean() }
        #expect(try store.count() == 0 && !FileManager.default.fileExists(atPath: path), "reading makes no file")
        try store.add([try building(1, 47.05, 8.05), try building(2, 47.15, 8.05, height: 20)])
        try store.add([try building(1, 47.05, 8.05, height: 12)])
        let later = BuildingStore(path: path)
        #expect(try later.count() == 2)
        #expect(try roof(47.0501, 8.0501, in: later) == 12)
        #expect(try roof(47.0501, 8.0503, in: later) == nil)
        let cell = TerrainTile.Cell(containing: try position(47.19, 8.01))
        #expect(try later.remove(cell) == 1 && later.count() == 1)
        #expect(try roof(47.1501, 8.0501, in: later) == nil)
        #expect(try later.remove(nil) == 1 && !FileManager.default.fileExists(atPath: path))
    }

    @Test("around a position are those that count there: a tower from afar, a house near by; also across 180 degrees")
    func around() throws {
        defer { clean() }
        try store.add([
            try building(1, 0.02, 179.9997, height: 100), try building(2, 0.02, -179.999, height: 10),
            try building(3, 0.003, -179.9999, height: 10),
        ])
        #expect(try store.buildings(around: position(0, 179.999))?.count == 2)
        #expect(try store.buildings(around: position(0, -179.999))?.count == 2)
        #expect(try store.buildings(around: position(0.02, -179.999))?.count == 2)
        #expect(try store.buildings(around: position(0, 539.999))?.count == 2)
        #expect(try store.buildings(around: position(1, 179.999)) == nil)
        #expect(try roof(0.0201, 179.9998, in: store) == 100)
    }

    @Test("more buildings than the maximum are refused, and nothing of them is stored")
    func tooMany() throws {
        defer { clean() }
        try store.add((1...4).map { try building($0, 10, 10) })
        #expect(throws: TerrainStore.Failure.tooManyBuildings(5)) {
            try store.add((5...6).map { try building($0, 10, 10) })
        }
        #expect(try store.count() == 4)
        try store.add((1...5).map { try building($0, 10, 10) })
        #expect(try store.count() == 5)
    }

    @Test("a damaged file is moved aside, and buildings can be imported again; a newer one is left as it is")
    func damaged() throws {
        defer { clean() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("no database, but long enough to look like one of them".utf8).write(to: URL(filePath: path))
        #expect(throws: TerrainStore.Failure.self) { try store.buildings(around: position(47, 8)) }
        #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
        #expect(store.changeCount == 1, "the buildings in use are read again")
        try store.add([try building(1, 47, 8)])
        #expect(try BuildingStore(path: path).count() == 1)
        let newer = try Data(contentsOf: URL(filePath: path)).replacingVersion(by: 9)
        try newer.write(to: URL(filePath: path))
        let later = BuildingStore(path: path)
        #expect(throws: TerrainStore.Failure.self) { try later.add([try building(2, 47, 8)]) }
        #expect(try Data(contentsOf: URL(filePath: path)) == newer)
        #expect(try later.remove(nil) == 0 && !FileManager.default.fileExists(atPath: path), "removed when asked for")
    }

    @Test("in a replay nothing is stored")
    func replay() throws {
        defer { clean() }
        let none = BuildingStore(path: nil)
        #expect(throws: TerrainStore.Failure.self) { try none.add([try building(1, 47, 8)]) }
        #expect(try none.remove(nil) == 0 && none.count() == 0 && none.buildings(around: position(47, 8)) == nil)
    }
}

extension Data {
    /// With another `user_version`, which SQLite keeps as a big-endian number at byte 60.
    fileprivate func replacingVersion(by version: UInt8) -> Data {
        var changed = self
        changed[63] = version
        return changed
    }
}
