import Linux
import WaymarkInterface

/// Heights of the ground and of buildings.
extension Waymark.Client {
    /// Maximum size of the tiles of one call. Unit: bytes.
    public static let longestTerrain = 16 << 20

    /// Stores tiles in the daemon, replacing the tiles of the same cells; returns the number of tiles.
    ///
    /// - Parameter tiles: a sequence of tiles, of at most `longestTerrain` bytes, in the format of docs/heights.md.
    @discardableResult
    public func importTerrain(tiles: [UInt8]) throws(WaymarkError) -> Int {
        let file = try Self.file(in: tiles, named: "terrain") { .terrain(.invalidDocument(path: "", reason: $0)) }
        return try call(TerrainInterface.Import(descriptor: 0), descriptors: [file.descriptor]).tiles
    }

    /// Stores the buildings of a document in the daemon, replacing buildings with the same numbers.
    ///
    /// - Parameter document: GeoJSON or the XML of OpenStreetMap, of at most `longestTerrain` bytes.
    @discardableResult
    public func importBuildings(document: [UInt8]) throws(WaymarkError) -> Waymark.BuildingsImport {
        let file = try Self.file(in: document, named: "buildings") { .terrain(.invalidDocument(path: "", reason: $0)) }
        return try call(TerrainInterface.ImportBuildings(descriptor: 0), descriptors: [file.descriptor])
    }

    /// Stored tiles from south to north, each row from west to east, and the number of buildings.
    public func terrain() throws(WaymarkError) -> Waymark.StoredHeights { try call(TerrainInterface.List()) }

    /// Heights at a location: that of the ground above the elevation model's reference level, which is nearly sea
    /// level, and that of the roof above the ground. A height is nil if it is not stored. Unit: metres.
    public func heights(at location: Waymark.Location) throws(WaymarkError) -> Waymark.HeightsThere {
        try call(TerrainInterface.GetHeight(near: location))
    }

    /// Removes the tile at a location and its buildings; nil for all tiles.
    @discardableResult
    public func removeTerrain(at location: Waymark.Location? = nil) throws(WaymarkError) -> Waymark.HeightsRemoval {
        try call(TerrainInterface.Remove(near: location))
    }
}
