import Geometry
import Linux
import Scene

/// Folder of the terrain tiles, with one file per tile, replaced as a whole: a loss of power leaves the old or the new
/// one, and damage of one file does not affect the others.
///
/// For a thread that may wait for the disk, one at a time.
package struct TerrainStore: Sendable {
    /// Reason why a request failed.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The number of tiles would exceed this maximum.
        case tooMany(Int)
        /// The number of buildings would exceed this maximum.
        case tooManyBuildings(Int)
        /// The folder cannot be read or changed, with the reason and the remedy.
        case store(String)

        package var description: String {
            switch self {
            case .tooMany(let maximum): "more than \(maximum) tiles"
            case .tooManyBuildings(let maximum): "more than \(maximum) buildings"
            case .store(let reason): reason
            }
        }

        static let notStored = store("a recording is being replayed: terrain is not stored")
    }

    /// Path of the folder; nil if tiles are not stored, as in a replay.
    private let folder: String?
    /// Maximum number of tiles.
    private let capacity: Int
    private var known: [TerrainTile.Cell: TerrainFile.Header] = [:]
    /// Store of the buildings.
    package let buildings: BuildingStore

    /// Maximum number of tiles that the daemon stores: 20 square degrees, 520 MB at the finest spacing.
    package static let maximumTileCount = 2000
    private static let ending = ".terrain"

    /// Only notes the path of the folder; reads nothing.
    package init(folder: String?, capacity: Int = TerrainStore.maximumTileCount) {
        self.folder = folder
        self.capacity = capacity
        buildings = BuildingStore(path: folder.map { $0 + "/buildings.db" })
    }

    // MARK: start

    /// Finds the stored tiles. A damaged file is moved aside and logged; one of a newer version is left unchanged.
    package mutating func load() {
        guard let folder else { return }
        let names: [String]
        do throws(FileError) {
            names = try File.names(in: folder)
        } catch {
            if !error.isMissing { Log.error("\(folder): the stored terrain cannot be read: \(error)") }
            return
        }
        for name in names.sorted() {
            if name.hasSuffix(Self.ending + ".new") {
                // The file was left behind by a loss of power: its import was never acknowledged.
                File.remove(folder + "/" + name)
            } else if name.hasSuffix(Self.ending), known.count < capacity {
                find(WholeFile(path: folder + "/" + name))
            }
        }
    }

    private mutating func find(_ file: WholeFile) {
        do {
            let status = try File.status(of: file.path)
            guard status.isRegular else { return }
            let beginning = try File.openForReading(file.path).read(atMost: TerrainFile.headerCount)
            let header = try TerrainFile.header(beginning[...])
            guard status.size == header.count else { throw TerrainFile.Flaw.damaged("length is not that of its tile") }
            guard self.file(header.cell)?.path == file.path else {
                throw TerrainFile.Flaw.damaged("name is not that of the tile in it")
            }
            known[header.cell] = header
        } catch TerrainFile.Flaw.newer {
            Log.warning("\(file.path) is not used, and was not changed: \(TerrainFile.Flaw.newer)")
        } catch let flaw as TerrainFile.Flaw {
            setAside(file, flaw)
        } catch {
            Log.error("\(file.path) cannot be read, its heights are missing: \(error)")
        }
    }

    private func setAside(_ file: WholeFile, _ flaw: TerrainFile.Flaw) {
        do throws(FileError) {
            try file.setAside()
            Log.error("\(file.path) is damaged and was moved to \(file.damagedPath), import the terrain again: \(flaw)")
        } catch {
            Log.error(
                "\(file.path) is damaged and cannot be moved away (\(error)), import the terrain again: \(flaw)")
        }
    }

    /// File of a tile; nil if tiles are not stored.
    private func file(_ cell: TerrainTile.Cell) -> WholeFile? {
        folder.map { WholeFile(path: "\($0)/\(cell.row)-\(cell.column)\(Self.ending)") }
    }

    // MARK: tiles

    /// Stored tiles, row by row from south to north, each row from west to east.
    package var tiles: [TerrainFile.Header] { known.values.sorted { $0.cell < $1.cell } }

    /// Adds tiles, replacing tiles of the same cells; they are durable once this returns. Known heights fill voids of
    /// the new tile, and neighbours with the same spacing complete each other's edges, since many models end one sample
    /// before the border.
    package mutating func add(_ tiles: [TerrainTile]) throws(Failure) {
        guard folder != nil else { throw .notStored }
        let new = Set(tiles.map(\.cell)).subtracting(known.keys)
        guard known.count + new.count <= capacity else { throw .tooMany(capacity) }
        for tile in tiles {
            if new.contains(tile.cell) { try requireNoOther(tile.cell) }
            try write(completed(tile))
            for cell in tile.cell.neighbours where known[cell]?.voids ?? 0 > 0 {
                guard let neighbour = self.tile(cell) else { continue }
                let filled = neighbour.filled(from: tile)
                if filled != neighbour { try write(filled) }
            }
        }
    }

    /// A file that exists but is unknown was written by a newer version, or cannot be read.
    private func requireNoOther(_ cell: TerrainTile.Cell) throws(Failure) {
        guard let path = file(cell)?.path, (try? File.status(of: path)) != nil else { return }
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
        guard let file = file(tile.cell) else { return }
        let bytes = TerrainFile.bytes(of: tile)
        do throws(FileError) {
            let folder = File.directory(of: file.path)
            File.makeDirectory(of: folder, mode: 0o700)
            let isNew = (try? File.status(of: folder)) == nil
            try file.replace(with: bytes)
            // A new folder is durable only once its parent is synchronized.
            if isNew { try File.synchronizeDirectory(of: folder) }
        } catch {
            throw .store("\(file.path) cannot be written: \(error)")
        }
        known[tile.cell] = try? TerrainFile.header(bytes[...])
    }

    /// Tile of a cell; nil if there is none, or if its file cannot be read, which is logged. A damaged file is moved
    /// aside.
    package mutating func tile(_ cell: TerrainTile.Cell) -> TerrainTile? {
        guard let header = known[cell], let file = file(cell) else { return nil }
        do {
            return try TerrainFile.tile((try file.read(maximumLength: header.count) ?? [])[...])
        } catch let flaw as TerrainFile.Flaw {
            known[cell] = nil
            setAside(file, flaw)
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
        for cell in cells ?? Array(known.keys) where known[cell] != nil {
            guard let file = file(cell) else { continue }
            do throws(FileError) {
                try file.remove()
            } catch {
                throw .store("\(file.path) cannot be removed: \(error)")
            }
            known[cell] = nil
            count += 1
        }
        return count
    }

    // MARK: around a position

    /// Terrain around a position, read from one tile after another; nil if there is none.
    package mutating func terrain(around position: GeodeticPosition) -> Terrain? {
        guard var terrain = Terrain(around: position) else { return nil }
        for cell in terrain.cells where known[cell] != nil {
            if let tile = tile(cell) { terrain.fill(tile) }
        }
        return terrain.isEmpty ? nil : terrain
    }
}
