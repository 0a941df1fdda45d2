import WaymarkClient

/// Stored terrain as text.
public enum TerrainText {
    /// Table of the tiles.
    public static func table(_ tiles: [Waymark.TerrainTile]) -> [String] {
        guard !tiles.isEmpty else { return ["No stored terrain; `waymark terrain import FILE` stores some."] }
        var table = Table([("south", .right), ("west", .right), ("spacing", .right)])
        for tile in tiles { table.append([tile.south.fixed(1), tile.west.fixed(1), spacing(tile)]) }
        return table.lines
    }

    /// Spacing of samples along a meridian and along a parallel, in seconds of arc.
    private static func spacing(_ tile: Waymark.TerrainTile) -> String {
        [tile.rows, tile.columns].map { $0 > 0 ? "\((360 / Double($0)).fixed(0))\"" : "" }.joined(separator: " x ")
    }

    /// Line of a height of the ground in metres.
    public static func height(_ metres: Double) -> String { "\(metres.fixed(1)) m\n" }

    /// Line after an import.
    public static func stored(_ tiles: Int) -> String { "\(count(tiles)) stored\n" }

    /// Line after a removal.
    public static func removed(_ tiles: Int) -> String { "\(count(tiles)) removed\n" }

    private static func count(_ tiles: Int) -> String { tiles == 1 ? "1 tile of terrain" : "\(tiles) tiles of terrain" }
}
