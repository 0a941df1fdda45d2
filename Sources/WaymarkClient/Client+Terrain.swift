import Linux
import WaymarkInterface

/// Heights of the ground.
extension Waymark.Client {
    /// Largest size of the tiles of one call. Unit: bytes.
    public static let longestTerrain = 16 << 20

    /// Has the daemon store tiles in place of those of the same cells; returns their number.
    ///
    /// - Parameter tiles: a sequence of tiles, of at most `longestTerrain` bytes, as docs/heights.md describes them.
    @discardableResult
    public func importTerrain(tiles: [UInt8]) throws(WaymarkError) -> Int {
        let file = try Self.file(in: tiles, named: "terrain") { .terrain(.invalidDocument(path: "", reason: $0)) }
        return try call(TerrainInterface.Import(descriptor: 0), descriptors: [file.descriptor]).tiles
    }

    /// Stored tiles, from south to north, each row from west to east.
    public func terrain() throws(WaymarkError) -> [Waymark.TerrainTile] { try call(TerrainInterface.List()).tiles }

    /// Height of the ground at a location, above the level of its elevation model, nearly that of the sea; nil where
    /// none is stored. Unit: metres.
    public func groundHeight(at location: Waymark.Location) throws(WaymarkError) -> Double? {
        try call(TerrainInterface.GetHeight(near: location)).height
    }

    /// Removes the tile at a location, or all; returns the number of tiles removed.
    @discardableResult
    public func removeTerrain(at location: Waymark.Location? = nil) throws(WaymarkError) -> Int {
        try call(TerrainInterface.Remove(near: location)).tiles
    }
}
