import Linux
import WaymarkInterface

/// Heights of the ground and of buildings.
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

    /// Has the daemon store the buildings of a document, in place of those with the same numbers.
    ///
    /// - Parameter document: GeoJSON or the XML of OpenStreetMap, of at most `longestTerrain` bytes.
    @discardableResult
    public func importBuildings(document: [UInt8]) throws(WaymarkError) -> Waymark.BuildingsImport {
        let file = try Self.file(in: document, named: "buildings") { .terrain(.invalidDocument(path: "", reason: $0)) }
        return try call(TerrainInterface.ImportBuildings(descriptor: 0), descriptors: [file.descriptor])
    }

    /// What is stored: tiles from south to north, each row from west to east, and the number of buildings.
    public func terrain() throws(WaymarkError) -> Waymark.StoredHeights { try call(TerrainInterface.List()) }

    /// Height of the ground at a location, above the level of its elevation model, nearly that of the sea, and of the
    /// roof above the ground; nil where none is stored. Unit: metres.
    public func heights(at location: Waymark.Location) throws(WaymarkError) -> Waymark.HeightsThere {
        try call(TerrainInterface.GetHeight(near: location))
    }

    /// Removes the tile at a location with its buildings, or all.
    @discardableResult
    public func removeTerrain(at location: Waymark.Location? = nil) throws(WaymarkError) -> Waymark.HeightsRemoval {
        try call(TerrainInterface.Remove(near: location))
    }
}
