import Foundation
import Geometry
import Linux
import Persistence
import Scene
import Testing

@Suite("The stored terrain")
struct TerrainStoreTests {
    private let folder: String
    private var store: TerrainStore

    init() throws {
        folder = try SamplePlan.folder()
        store = TerrainStore(folder: folder, capacity: 3)
    }

    private final class Wearer {
        var position: GeodeticPosition
        private(set) var heights: [Double?] = []

        init(position: GeodeticPosition) { self.position = position }

        func take(_ terrain: Terrain?) { heights.append(terrain?.height(at: position)) }
    }

    private func clean() { SamplePlan.clean(folder) }

    private func tile(_ row: Int, _ column: Int, intervals: Int = 12, height: Double = 400) throws -> TerrainTile {
        let cell = try #require(TerrainTile.Cell(row: row, column: column))
        let samples = (0..<(intervals + 1) * (intervals + 1)).map { TerrainTile.sample(height + Double($0)) }
        return try #require(TerrainTile(cell: cell, rows: intervals, columns: intervals, samples: samples))
    }

    private func reopened() -> TerrainStore {
        var store = TerrainStore(folder: folder, capacity: 3)
        store.load()
        return store
    }

    private func path(_ name: String) -> URL { URL(filePath: folder + "/" + name) }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test("tiles are found again, replace those of their cell, and are removed one by one or together")
    mutating func kept() throws {
        defer { clean() }
        let (south, north) = (try tile(1370, 1885), try tile(1371, 0, height: -430))
        try store.add([north, south])
        var later = reopened()
        #expect(later.tiles.map(\.cell) == [south.cell, north.cell])
        let found = [later.tile(south.cell), later.tile(north.cell)]
        #expect(found == [south, north])
        let newer = try tile(1370, 1885, intervals: 24)
        try later.add([newer])
        later = reopened()
        let replaced = later.tile(newer.cell)
        #expect(replaced == newer && later.tiles.count == 2)
        let removed = [try later.remove([newer.cell]), try later.remove([newer.cell])]
        #expect(removed == [1, 0])
        #expect(reopened().tiles.map(\.cell) == [north.cell])
        let rest = try later.remove()
        #expect(rest == 1 && reopened().tiles.isEmpty)
        #expect(try names().isEmpty)
    }

    @Test("where a tile is void, heights that were known stay, also of another spacing")
    mutating func filled() throws {
        defer { clean() }
        let whole = try tile(7, 7)
        var samples = whole.samples.map { $0 + 5 }
        samples[3] = TerrainTile.void
        let partial = try #require(TerrainTile(cell: whole.cell, rows: 12, columns: 12, samples: samples))
        try store.add([whole])
        try store.add([partial])
        samples[3] = whole.samples[3]
        #expect(reopened().tiles.count == 1)
        var later = reopened()
        let kept = later.tile(whole.cell)?.samples
        #expect(kept == samples)
        let coarse = [UInt16](repeating: TerrainTile.void, count: 49)
        try later.add([try #require(TerrainTile(cell: whole.cell, rows: 6, columns: 6, samples: coarse))])
        let resampled = later.tile(whole.cell)?.samples
        let fine = try #require(kept)
        let second = (0..<49).map { (index: Int) -> UInt16 in fine[26 * (index / 7) + 2 * (index % 7)] }
        #expect(resampled == second)
    }

    @Test("neighbours complete each other's edges, whichever comes first, also across the antimeridian")
    mutating func neighbours() throws {
        defer { clean() }
        let last = 12
        for isWestFirst in [true, false] {
            let (west, east) = (try tile(7, 3599, height: 400), try tile(7, 0, height: 900))
            // Ends a sample before the border, as models with samples in the middle of their pixels do.
            var samples = west.samples
            for row in 0...last { samples[row * (last + 1) + last] = TerrainTile.void }
            let partial = try #require(TerrainTile(cell: west.cell, rows: last, columns: last, samples: samples))
            for tile in isWestFirst ? [partial, east] : [east, partial] { try store.add([tile]) }
            for row in 0...last { samples[row * (last + 1) + last] = east.samples[row * (last + 1)] }
            var later = reopened()
            let completed = later.tile(west.cell)?.samples
            #expect(completed == samples)
            #expect(later.tiles.map(\.voids) == [0, 0])
            _ = try store.remove()
        }
    }

    @Test("more tiles than the maximum are refused as a whole, and replacing is possible all the same")
    mutating func tooMany() throws {
        defer { clean() }
        try store.add([tile(1, 1), tile(1, 2)])
        let more = [try tile(1, 3), try tile(1, 4)]
        let failure = Result { () throws(TerrainStore.Failure) in try store.add(more) }
        if case .failure(.tooMany(3)) = failure {} else { Issue.record("\(failure)") }
        #expect(store.tiles.count == 2)
        try store.add([tile(1, 1), tile(1, 2), tile(1, 5)])
        #expect(store.tiles.count == 3)
    }

    @Test("a damaged file is moved aside, whatever byte of it is wrong, and the others stay")
    mutating func damaged() throws {
        defer { clean() }
        let other = try tile(2, 2)
        let bytes = TerrainFile.bytes(of: try tile(1, 1))
        for offset in [0, 8, 10, 12, 14, 16, 19, 24, 25, bytes.count - 1] {
            try store.add([tile(1, 1), other])
            var broken = bytes
            broken[offset] ^= 0x40
            try Data(broken).write(to: path("1-1.terrain"))
            var later = reopened()
            let found = [later.tile(try tile(1, 1).cell), later.tile(other.cell)]
            #expect(found == [nil, other], "byte \(offset)")
            #expect(try names().filter { $0.hasPrefix("1-1") } == ["1-1.terrain.damaged"], "byte \(offset)")
            try FileManager.default.removeItem(at: path("1-1.terrain.damaged"))
        }
        // Of another length, of a newer form, and what a loss of power left behind.
        try Data(bytes.dropLast()).write(to: path("1-1.terrain"))
        try Data(Array("wmterr02".utf8) + bytes.dropFirst(8)).write(to: path("3-3.terrain"))
        try Data(bytes).write(to: path("4-4.terrain.new"))
        #expect(reopened().tiles.map(\.cell) == [other.cell])
        #expect(try names() == ["1-1.terrain.damaged", "2-2.terrain", "3-3.terrain"])
    }

    @Test("a sequence of tiles is read whole or not at all, and what is wrong is named")
    func sequences() throws {
        defer { clean() }
        let tiles = [try tile(1, 1), try tile(5, 6, intervals: 24)]
        let bytes = tiles.flatMap(TerrainFile.bytes)
        #expect(try TerrainFile.tiles(bytes) == tiles)
        for length in [0, 5, 23, 24, bytes.count - 1] {
            #expect(throws: TerrainFile.Problem.self) { try TerrainFile.tiles(Array(bytes.prefix(length))) }
        }
        #expect { try TerrainFile.tiles(bytes + [1]) } throws: { ($0 as? TerrainFile.Problem)?.tile == 2 }
        let newer = Array("wmterr99".utf8) + bytes.dropFirst(8)
        #expect { try TerrainFile.tiles(newer) } throws: { ($0 as? TerrainFile.Problem)?.flaw == .newer }
    }

    @Test("terrain around a position is of the tiles there; without any there is none")
    mutating func around() throws {
        defer { clean() }
        let position = SamplePlan.position(47.05, 8.55)
        let before = store.terrain(around: position)
        #expect(before == nil)
        let cell = TerrainTile.Cell(containing: position)
        let samples = [UInt16](repeating: TerrainTile.sample(512), count: 169)
        try store.add([try #require(TerrainTile(cell: cell, rows: 12, columns: 12, samples: samples))])
        let around = store.terrain(around: position)
        let terrain = try #require(around)
        #expect(terrain.height(at: position) == 512 && terrain.height(at: SamplePlan.position(47.11, 8.55)) == nil)
        let elsewhere = [(47.5, 8.55), (-90, 0)].compactMap { store.terrain(around: SamplePlan.position($0.0, $0.1)) }
        #expect(elsewhere.isEmpty)
    }

    @Test("terrain is read again after some kilometres and after a change, and not while the wearer stays")
    func nearby() throws {
        defer { clean() }
        let reactor = try Reactor()
        let repository = try TerrainRepository(reactor, folder: folder)
        let wearer = Wearer(position: SamplePlan.position(47.05, 8.55))
        let nearby = Nearby<TerrainStore, Terrain?>(repository) { wearer.take($0) }
        func settle() {
            nearby.update(around: wearer.position)
            var isDone = false
            repository.perform { store throws(TerrainStore.Failure) in
                store.tiles.count
            } then: { _ in
                isDone = true
            }
            while !isDone { reactor.runOnce(milliseconds: 1000) }
        }
        settle()
        settle()
        #expect(wearer.heights.isEmpty, "no terrain before, and none now")
        let cell = TerrainTile.Cell(containing: wearer.position)
        let samples = [UInt16](repeating: TerrainTile.sample(512), count: 169)
        let tile = try #require(TerrainTile(cell: cell, rows: 12, columns: 12, samples: samples))
        repository.perform { store throws(TerrainStore.Failure) in
            try store.add([tile])
        } then: { _ in
        }
        settle()
        settle()
        settle()
        #expect(wearer.heights == [512])
        wearer.position = SamplePlan.position(47.06, 8.55)
        settle()
        #expect(wearer.heights == [512], "a kilometre on")
        wearer.position = SamplePlan.position(47.09, 8.55)
        settle()
        #expect(wearer.heights == [512, 512])
        repository.perform { store throws(TerrainStore.Failure) in
            try store.remove()
        } then: { _ in
        }
        settle()
        settle()
        #expect(wearer.heights == [512, 512, nil])
        repository.requestEnd()
        repository.end(timeoutSeconds: 10)
    }

    @Test("tiles that an import has stored before it failed are used; one that stored nothing is no change")
    func partial() throws {
        defer { clean() }
        let position = SamplePlan.position(47.05, 8.55)
        let cell = TerrainTile.Cell(containing: position)
        let samples = [UInt16](repeating: TerrainTile.sample(512), count: 169)
        let near = try #require(TerrainTile(cell: cell, rows: 12, columns: 12, samples: samples))
        // A file of a newer version, which is not replaced.
        let blocked = try tile(3, 3)
        try FileManager.default.createDirectory(at: path(""), withIntermediateDirectories: true)
        try Data(Array("wmterr99".utf8) + TerrainFile.bytes(of: blocked).dropFirst(8)).write(to: path("3-3.terrain"))
        let reactor = try Reactor()
        let repository = try TerrainRepository(reactor, folder: folder)
        func fails(_ tiles: [TerrainTile]) -> Bool {
            var outcome: Result<Void, TerrainStore.Failure>?
            repository.perform { store throws(TerrainStore.Failure) in
                try store.add(tiles)
            } then: {
                outcome = $0
            }
            while outcome == nil { reactor.runOnce(milliseconds: 1000) }
            if case .failure? = outcome { return true }
            return false
        }
        #expect(fails([blocked]) && repository.revision == 0)
        #expect(fails([near, blocked]) && repository.revision == 1)
        repository.requestEnd()
        repository.end(timeoutSeconds: 10)
        var later = reopened()
        let height = later.terrain(around: position)?.height(at: position)
        #expect(height == 512)
    }
}
