import SQLite
import Synchronization

/// Raster tiles in an SQLite database with the tables `metadata` and `tiles`. Tile rows are counted from the south.
///
/// Source: MBTiles 1.3 (https://github.com/mapbox/mbtiles-spec).
final class MBTiles: TileSource {
    let mediaType: String
    let zooms: ClosedRange<Int>
    let attribution: String
    private let database: Mutex<Database>

    private static let mediaTypes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    ]

    init(path: String) throws(TileProblem) {
        do throws(DatabaseError) {
            let database = try Database(path: path, access: .readUnchanging(because: "it is a map"))
            let metadata = try Self.metadata(of: database)
            let format = metadata["format"] ?? ""
            guard let type = Self.mediaTypes[format.lowercased()] else {
                throw DatabaseError.damage(path, TileProblem.notPictures(format).description)
            }
            mediaType = type
            zooms = try Self.zooms(of: database)
            attribution = metadata["attribution"] ?? ""
            self.database = Mutex(database)
        } catch {
            throw TileProblem(error.message)
        }
    }

    func tile(zoom: Int, column: Int, row: Int) throws(TileProblem) -> [UInt8]? {
        do throws(DatabaseError) {
            return try blob(zoom, column, (1 << zoom) - 1 - row)
        } catch {
            throw TileProblem(error.message)
        }
    }

    private func blob(_ zoom: Int, _ column: Int, _ row: Int) throws(DatabaseError) -> [UInt8]? {
        try database.withLock { database throws(DatabaseError) -> [UInt8]? in
            let statement = try database.prepare(
                """
                SELECT tile_data FROM tiles
                WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? AND length(tile_data) <= ? LIMIT 1
                """)
            try statement.bind(
                .integer(Int64(zoom)), .integer(Int64(column)), .integer(Int64(row)),
                .integer(Int64(TileLimits.maximumSize)))
            guard try statement.step() else { return nil }
            return statement.blob(0)
        }
    }

    private static func metadata(of database: Database) throws(DatabaseError) -> [String: String] {
        let statement = try database.prepare(
            "SELECT name, substr(value, 1, \(TileLimits.maximumAttributionLength)) FROM metadata LIMIT 100")
        var metadata: [String: String] = [:]
        while try statement.step() { metadata[statement.text(0)] = statement.text(1) }
        return metadata
    }

    private static func zooms(of database: Database) throws(DatabaseError) -> ClosedRange<Int> {
        let statement = try database.prepare("SELECT min(zoom_level), max(zoom_level) FROM tiles")
        guard try statement.step(), !statement.isNull(0) else {
            throw DatabaseError.damage(database.path, "it has no tiles")
        }
        let (minimum, maximum) = (statement.integer(0), statement.integer(1))
        // A column of SQLite may hold values of any type, and texts sort above all numbers. A zoom that is a text is
        // therefore the maximum, and is read as 0.
        guard minimum <= maximum else { throw DatabaseError.damage(database.path, "its zooms are no numbers") }
        return Int(minimum)...Int(maximum)
    }
}
