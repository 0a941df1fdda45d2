import WaymarkClient

package enum TerrainText {
    /// Makes a table of the tiles, followed by the number of buildings.
    package static func table(_ stored: Waymark.StoredHeights) -> [String] {
        guard !stored.tiles.isEmpty || stored.buildings > 0 else {
            return ["No stored terrain; `waymark terrain import FILE` stores some."]
        }
        return (stored.tiles.isEmpty ? [] : table(stored.tiles))
            + (stored.buildings > 0 ? [buildings(stored.buildings)] : [])
    }

    private static func table(_ tiles: [Waymark.TerrainTile]) -> [String] {
        Table(
            [("south", .right), ("west", .right), ("spacing", .right)],
            tiles.map { [$0.south.fixed(1), $0.west.fixed(1), spacing($0)] }
        ).lines
    }

    /// Formats the spacing of samples along a meridian and along a parallel, in seconds of arc.
    private static func spacing(_ tile: Waymark.TerrainTile) -> String {
        [tile.rows, tile.columns].map { $0 > 0 ? "\((360 / Double($0)).fixed(0))\"" : "" }.joined(separator: " x ")
    }

    /// Formats the heights of the ground and of the roof at a location, in metres.
    package static func heights(_ there: Waymark.HeightsThere) -> String {
        let ground = there.height.map { "\($0.fixed(1)) m" } ?? "unknown ground"
        return ground + (there.roof.map { ", roof \($0.fixed(1)) m above it" } ?? "")
    }

    package static func stored(_ tiles: Int) -> String { "\(count(tiles)) stored" }

    package static func stored(_ reply: Waymark.BuildingsImport) -> String {
        let reasons = [(reply.withoutHeight, "without a height"), (reply.unusable, "incomplete or impossible")]
        let left = reasons.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(buildings(reply.buildings)) stored"
            + (left.isEmpty ? "" : "; left out: " + left.joined(separator: ", "))
    }

    package static func removed(_ removal: Waymark.HeightsRemoval) -> String {
        "\(count(removal.tiles)) and \(buildings(removal.buildings)) removed"
    }

    private static func count(_ tiles: Int) -> String { tiles == 1 ? "1 tile of terrain" : "\(tiles) tiles of terrain" }

    private static func buildings(_ count: Int) -> String { count == 1 ? "1 building" : "\(count) buildings" }
}
