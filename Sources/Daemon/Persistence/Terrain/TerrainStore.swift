import Geometry
import JSON
import Linux
import Scene

/// Folder of the terrain tiles, with one file per tile, and of the buildings, in one file.
///
/// To be used by one thread at a time, which may have to wait for the disk.
package struct TerrainStore: FileStore {
    package enum Failure: StoreFailure, CustomStringConvertible {
        case document(DocumentProblem)
        /// The number of tiles would exceed this maximum.
        case tooMany(Int)
        /// The number of buildings would exceed this maximum.
        case tooManyBuildings(Int)
        case store(String)

        package var description: String {
            switch self {
            case .document(let problem): "\(problem)"
            case .tooMany(let maximum): "more than \(maximum) tiles"
            case .tooManyBuildings(let maximum): "more than \(maximum) buildings"
            case .store(let reason): reason
            }
        }

        static let notStored = store("a recording is being replayed: terrain is not stored")
    }

    private var folder: FileFolder<TerrainFile.Header>
    private let capacity: Int
    package let buildings: BuildingStore

    /// Maximum number of tiles that the daemon stores: 20 square degrees, 520 MB at the finest spacing.
    package static let maximumTileCount = 2000

    /// Only notes the path of the folder; reads nothing.
    package init(folder: String?, capacity: Int = TerrainStore.maximumTileCount) {
        self.folder = FileFolder(path: folder)
        self.capacity = capacity
        buildings = BuildingStore(path: folder.map { $0 + "/buildings.db" })
    }

    /// Finds the stored tiles. A damaged file is moved aside and logged; one of a newer version is left unchanged.
    package mutating func load() { folder.load(capacity: capacity) }

    package var changeCount: UInt64 { folder.changeCount + buildings.changeCount }

    // MARK: tiles

    /// Stored tiles, row by row from south to north, each row from west to east.
    package var tiles: [TerrainFile.Header] { folder.known.values.sorted { $0.cell < $1.cell } }

    /// Adds tiles, replacing tiles of the same cells; they are durable once this returns. Known heights fill voids of
    /// the new tile. Neighbours with the same spacing complete each other's edges, because many models end one sample
    /// before the border.
    package mutating func add(_ tiles: [TerrainTile]) throws(Failure) {
        guard folder.path != nil else { throw .notStored }
        let new = Set(tiles.map(\.cell)).subtracting(folder.known.keys)
        guard folder.known.count + new.count <= capacity else { throw .tooMany(capacity) }
        for tile in tiles {
            if new.contains(tile.cell) { try requireNoOther(tile.cell) }
            try write(completed(tile))
            for cell in tile.cell.neighbours where folder.known[cell]?.voids ?? 0 > 0 {
                guard let neighbour = self.tile(cell) else { continue }
                let filled = neighbour.filled(from: tile)
                if filled != neighbour { try write(filled) }
            }
        }
    }

    /// Throws if the folder already has a file for a new cell. Such a file was written by a newer version, or cannot be
    /// read, and must not be overwritten.
    private func requireNoOther(_ cell: TerrainTile.Cell) throws(Failure) {
        guard let path = folder.file(cell)?.path, (try? File.status(of: path)) != nil else { return }
        throw .store("\(path) is not one of this version: remove it first")
    }

    private mutating func completed(_ tile: TerrainTile) -> TerrainTile {
        var completed = tile
        for cell in [tile.cell] + tile.cell.neighbours where completed.voids > 0 {
            if let present = self.tile(cell) { completed = completed.filled(from: present) }
        }
        return completed
    }

    private mutating func write(_ tile: TerrainTile) throws(Failure) {
        let bytes = TerrainFile.bytes(of: tile)
        guard let header = try? TerrainFile.header(bytes[...]) else { return }
        try folder.write(header, bytes)
    }

    /// Returns the tile of a cell; nil if there is none, or if its file cannot be read, which is logged. A damaged file
    /// is moved aside.
    package mutating func tile(_ cell: TerrainTile.Cell) -> TerrainTile? {
        guard let header = folder.known[cell], let file = folder.file(cell) else { return nil }
        do {
            return try TerrainFile.tile((try file.read(maximumLength: header.count) ?? [])[...])
        } catch let flaw as StoredFlaw {
            folder.drop(cell, flaw)
        } catch {
            Self.log.write(.error, "\(file.path) cannot be read: \(error)")
        }
        return nil
    }

    private static let log = LogLimiter("terrain", lines: 5, interval: 60_000_000_000)

    /// Removes the tiles of some cells, or all tiles; they stay removed once this returns. Returns the number of
    /// removed tiles.
    package mutating func remove(_ cells: [TerrainTile.Cell]? = nil) throws(Failure) -> Int {
        var count = 0
        for cell in cells ?? Array(folder.known.keys) where folder.known[cell] != nil {
            try folder.remove(cell)
            count += 1
        }
        return count
    }

    // MARK: around a position

    /// Returns the terrain around a position, read from one tile after another; nil if there is none.
    package mutating func terrain(around position: GeodeticPosition) -> Terrain? {
        guard var terrain = Terrain(around: position) else { return nil }
        for cell in terrain.cells where folder.known[cell] != nil {
            if let tile = tile(cell) { terrain.fill(tile) }
        }
        return terrain.isEmpty ? nil : terrain
    }
}
