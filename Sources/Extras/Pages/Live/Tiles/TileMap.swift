import JSON
import Linux
import Web

/// A map of raster tiles from a file, which the page shows as a map.
final class TileMap: Sendable {
    /// Path of the tiles, which are at ZOOM/X/Y below it; Y counts from the north. `map.json` describes the map.
    static let path = "/tiles/"

    /// Source of the tiles; nil for a map without tiles.
    private let source: (any TileSource)?
    /// JSON for the page: zooms and attribution, or null.
    private let summary: [UInt8]

    /// Opens an MBTiles or PMTiles file read-only. An empty path gives a map without tiles.
    ///
    /// - Throws: `TileProblem` if the file is missing or has another type, or if its tiles are not pictures.
    init(path: String) throws(TileProblem) {
        guard !path.isEmpty else {
            source = nil
            summary = Array("null".utf8)
            return
        }
        do throws(TileProblem) {
            let source = try Self.open(path)
            let (minimum, maximum) = (source.zooms.lowerBound, source.zooms.upperBound)
            guard TileLimits.zooms.contains(minimum), TileLimits.zooms.contains(maximum) else {
                throw TileProblem("its zooms \(minimum) to \(maximum) are not within 0 to 22")
            }
            self.source = source
            summary = Self.summary(source)
        } catch {
            throw TileProblem("serve.tiles: \(path): \(error)")
        }
    }

    /// Opens a file. Its first bytes show whether it is a PMTiles archive, whatever its name.
    private static func open(_ path: String) throws(TileProblem) -> any TileSource {
        guard let archive = try ArchiveFile(path) else { return try MBTiles(path: path) }
        return try PMTiles { (offset, count) throws(TileProblem) in try archive.bytes(at: offset, count: count) }
    }

    func response(to request: WebRequest) -> WebResponse {
        let name = request.path.dropFirst(Self.path.count)
        if name == "map.json" { return WebResponse(type: "application/json", body: summary) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let zoom = parts[0], let x = parts[1], let y = parts[2],
            TileLimits.zooms.contains(zoom), (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y)
        else { return WebResponse(status: 404, text: "tiles are below \(Self.path) as ZOOM/X/Y") }
        do throws(TileProblem) {
            guard let source, let tile = try source.tile(zoom: zoom, column: x, row: y) else {
                // Requests beyond the limits of the map are normal. With this status, a browser does not treat them as
                // errors.
                return WebResponse(status: 204, type: source?.mediaType ?? "", body: [])
            }
            return WebResponse(type: source.mediaType, body: tile)
        } catch {
            return WebResponse(status: 500, text: "the tile cannot be read: \(error)")
        }
    }

    private static func summary(_ source: any TileSource) -> [UInt8] {
        JSONWriter.object { json in
            json.member("minzoom", source.zooms.lowerBound)
            json.member("maxzoom", source.zooms.upperBound)
            json.member("attribution", source.attribution)
        }
    }
}
