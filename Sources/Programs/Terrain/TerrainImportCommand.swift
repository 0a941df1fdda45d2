import Display
import Documents
import JSON
import Options
import Persistence
import Scene
import WaymarkClient

/// `waymark terrain import`: an elevation model into the daemon's stored terrain.
enum TerrainImportCommand: Command {
    static let word = "terrain import"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax(
        "Store the heights of an elevation model.", operands: [Operand("FILE")], options: [json],
        notes: """
            FILE is of SRTM, such as N47E008.hgt, or a raster that GDAL reads, such as GeoTIFF. Its heights are stored
            as tiles of 0.1 degrees, in place of those already stored there.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        var sender = TerrainSender(client: try Waymark.Client(timeout: .seconds(120)))
        do {
            try read(options.operands[0], into: &sender)
            try sender.flush()
        } catch let problem as DocumentProblem {
            throw CommandError.failed("\(options.operands[0]): \(problem.message)")
        }
        try Terminal.print(
            options[json] ? JSONText.line(["tiles": sender.count]) : TerrainText.stored(sender.count))
        return .done
    }

    private static func read(_ path: String, into sender: inout TerrainSender) throws {
        let file = try InputFile(path)
        guard HGTDocument.isNamed(file.name) else { return try GDALRaster(path).read { try sender.send($0) } }
        let bytes = try file.allBytes(longest: HGTDocument.longest, kind: "file of SRTM")
        try HGTDocument.read(bytes, name: file.name) { try sender.send($0) }
    }
}

/// Sends tiles to the daemon, as many in one call as fit.
private struct TerrainSender {
    let client: Waymark.Client
    /// Number of tiles that are stored.
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
