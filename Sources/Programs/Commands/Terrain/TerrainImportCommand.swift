import Documents
import JSON
import Configuration
import Persistence
import Scene
import WaymarkClient

extension Command {
    static let terrainImport = Command(
        "terrain import", "Store the heights of an elevation model, or of buildings.", operands: [Operand("FILE")],
        options: [Flag.json],
        notes: """
            FILE is of SRTM, such as N47E008.hgt, or a raster that GDAL reads, such as GeoTIFF. Its heights are stored
            as tiles of 0.1 degrees, in place of those already stored there. Or it is a map of buildings with heights:
            GeoJSON (.geojson, .json), or the XML of OpenStreetMap (.osm).
            """
    ) { options in
        let path = options.operands[0]
        let file = try InputFile(path)
        if let step = unready.first(where: { file.name.lowercased().hasSuffix($0.0) }) {
            throw CommandError.failed("\(path): \(step.1)")
        }
        let client = try Waymark.Client(timeout: .seconds(120))
        guard endingsOfMaps.contains(where: file.name.lowercased().hasSuffix) else {
            let count = try store(file, path, client)
            return try options.show(["tiles": count], as: [TerrainText.stored(count)])
        }
        let document = try file.allBytes(maximumLength: Waymark.Client.longestTerrain, kind: "map of buildings")
        let reply: Waymark.BuildingsImport
        do throws(WaymarkError) {
            reply = try client.importBuildings(document: document)
        } catch {
            throw error.documentProblem.map { CommandError.failed("\(path): \($0)") } ?? error
        }
        _ = try options.show(reply, as: [TerrainText.stored(reply)])
        guard reply.buildings > 0 else {
            throw CommandError.failed(
                "\(path): no building that can be stored: a building is an area tagged building, with height or "
                    + "building:levels; see docs/heights.md")
        }
        return .done
    }

    private static let endingsOfMaps = [".geojson", ".json", ".osm", ".xml"]
    /// Common formats that need a conversion first, and the command for it.
    private static let unready = [
        (".gz", "unpack it first, with gunzip"), (".zip", "unpack it first, with unzip"),
        (".pbf", "make a file that ends with .osm of it, with osmium cat"),
    ]

    /// Stores an elevation model; returns the number of its tiles.
    private static func store(_ file: InputFile, _ path: String, _ client: Waymark.Client) throws -> Int {
        var sender = TerrainSender(client: client)
        do {
            try read(file, path, into: &sender)
            try sender.flush()
        } catch let problem as DocumentProblem {
            throw CommandError.failed("\(path): \(problem.message)")
        }
        return sender.count
    }

    private static func read(_ file: InputFile, _ path: String, into sender: inout TerrainSender) throws {
        guard HGTDocument.isNamed(file.name) else { return try GDALRaster(path).read { try sender.send($0) } }
        let bytes = try file.allBytes(maximumLength: HGTDocument.maximumSize, kind: "file of SRTM")
        try HGTDocument.read(bytes, name: file.name) { try sender.send($0) }
    }
}

/// Sends tiles to the daemon, as many per call as fit.
private struct TerrainSender {
    let client: Waymark.Client
    /// Number of stored tiles.
    private(set) var count = 0
    private var waiting: [UInt8] = []

    init(client: Waymark.Client) { self.client = client }

    mutating func send(_ tile: TerrainTile) throws {
        let bytes = TerrainFile.bytes(of: tile)
        if waiting.count + bytes.count > Waymark.Client.longestTerrain { try flush() }
        waiting += bytes
    }

    mutating func flush() throws {
        guard !waiting.isEmpty else { return }
        count += try client.importTerrain(tiles: waiting)
        waiting.removeAll(keepingCapacity: true)
    }
}
