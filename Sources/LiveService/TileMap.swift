import JSON
import Linux
import SQLite
import Synchronization
import Web

/// A map of raster tiles in a file, for the map of the page.
///
/// Source: MBTiles 1.3 (https://github.com/mapbox/mbtiles-spec): an SQLite database with the tables `metadata` and
/// `tiles`, whose rows count from the south.
final class TileMap: Sendable {
    /// Why a file has no tiles for the page.
    struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong, and what to do.
        let description: String
    }

    /// Where tiles are served, as ZOOM/X/Y with Y from the north; `map.json` beside them describes the map.
    static let path = "/tiles/"

    /// Nil for a map without tiles.
    private let database: Mutex<Database?>
    private let mediaType: String
    /// JSON for the page: zooms and attribution, or null.
    private let summary: [UInt8]

    /// Number of zooms of the spherical Mercator projection that are served.
    private static let zooms = 0...22
    /// Unit: bytes.
    private static let longest = 1 << 20
    private static let mediaTypes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
    ]

    /// Opens the file, which is only read; an empty path is a map without tiles.
    ///
    /// - Throws: `Problem` for a file that is missing, is no MBTiles, or has other tiles than pictures.
    init(path: String) throws(Problem) {
        guard !path.isEmpty else {
            database = Mutex(nil)
            mediaType = ""
            summary = Array("null".utf8)
            return
        }
        do throws(DatabaseError) {
            let database = try Database(path: path, access: .readUnchanging(because: "it is a map"))
            let metadata = try Self.metadata(of: database)
            let format = metadata["format"] ?? ""
            guard let type = Self.mediaTypes[format.lowercased()] else {
                throw DatabaseError.damage(
                    path, "its tiles are '\(format)': only png, jpg and webp can be shown, not vectors")
            }
            let zooms = try Self.zooms(of: database)
            mediaType = type
            summary = Self.summary(zooms, attribution: metadata["attribution"] ?? "")
            self.database = Mutex(database)
        } catch {
            throw Problem(description: "serve.tiles: \(path): \(error.message)")
        }
    }

    /// Makes the response to a request below `path`.
    func response(to request: WebRequest) -> WebResponse {
        let name = request.path.dropFirst(Self.path.count)
        if name == "map.json" { return WebResponse(type: "application/json", body: summary) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let zoom = parts[0], let x = parts[1], let y = parts[2], Self.zooms.contains(zoom),
            (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y)
        else { return WebResponse(status: 404, text: "tiles are below \(Self.path) as ZOOM/X/Y") }
        do throws(DatabaseError) {
            guard let tile = try tile(zoom, x, (1 << zoom) - 1 - y) else {
                // Maps end somewhere: for a browser that is no error.
                return WebResponse(status: 204, type: mediaType, body: [])
            }
            return WebResponse(type: mediaType, body: tile)
        } catch {
            return WebResponse(status: 500, text: "the tile cannot be read: \(error.message)")
        }
    }

    private func tile(_ zoom: Int, _ column: Int, _ row: Int) throws(DatabaseError) -> [UInt8]? {
        try database.withLock { database throws(DatabaseError) -> [UInt8]? in
            guard let database else { return nil }
            let statement = try database.prepare(
                """
                SELECT tile_data FROM tiles
                WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? AND length(tile_data) <= ? LIMIT 1
                """)
            try statement.bind(
                .integer(Int64(zoom)), .integer(Int64(column)), .integer(Int64(row)), .integer(Int64(Self.longest)))
            guard try statement.step() else { return nil }
            return statement.blob(0)
        }
    }

    private static func metadata(of database: Database) throws(DatabaseError) -> [String: String] {
        let statement = try database.prepare("SELECT name, substr(value, 1, 500) FROM metadata LIMIT 100")
        var metadata: [String: String] = [:]
        while try statement.step() { metadata[statement.text(0)] = statement.text(1) }
        return metadata
    }

    private static func zooms(of database: Database) throws(DatabaseError) -> ClosedRange<Int> {
        let statement = try database.prepare("SELECT min(zoom_level), max(zoom_level) FROM tiles")
        guard try statement.step(), !statement.isNull(0) else {
            throw DatabaseError.damage(database.path, "it has no tiles")
        }
        let (least, most) = (statement.integer(0), statement.integer(1))
        guard least >= zooms.lowerBound, most <= zooms.upperBound else {
            throw DatabaseError.damage(database.path, "its zooms \(least) to \(most) are not within 0 to 22")
        }
        return Int(least)...Int(most)
    }

    private static func summary(_ zooms: ClosedRange<Int>, attribution: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("minzoom", Int64(zooms.lowerBound))
        json.member("maxzoom", Int64(zooms.upperBound))
        json.member("attribution", attribution)
        json.endObject()
        return json.bytes
    }
}
