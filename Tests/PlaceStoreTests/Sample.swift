import Foundation
import Geodesy
import SQLite
import Scene
import Testing

/// Places and folders for the tests of the place store.
enum Sample {
    static func position(_ latitude: Double, _ longitude: Double) throws -> GeodeticPosition {
        try #require(
            GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: 0))
    }

    static func place(
        _ id: String, _ latitude: Double, _ longitude: Double, name: String = "x", kind: String = "cafe",
        height: PlacementHeight = .atEye, tags: [String: String] = [:], isFavorite: Bool = false
    ) throws -> Place {
        Place(
            id: id, name: name, kind: kind, position: try position(latitude, longitude), height: height, tags: tags,
            isFavorite: isFavorite)
    }

    /// Makes a closed database one of schema version 1, whose rows have no checksums.
    static func revert(_ path: String) throws {
        let database = try Database(path: path)
        for table in ["place", "filter", "anchor"] { try database.run("ALTER TABLE \(table) DROP COLUMN checksum") }
        try database.run("PRAGMA user_version = 1")
    }

    /// Calls `body` with a folder that is there as long as it runs.
    static func inFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }
}
