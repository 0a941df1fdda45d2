import Foundation
import Geometry
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
        height: PlacementHeight = .unstated, tags: [String: String] = [:], isFavorite: Bool = false
    ) throws -> Place {
        Place(
            id: id, name: name, kind: kind, position: try position(latitude, longitude), height: height, tags: tags,
            isFavorite: isFavorite)
    }

    /// Makes a closed database one of an earlier schema version: of 3, whose positions are in an R*Tree, of 2, whose
    /// search has names alone, or of 1, whose rows have no checksums either.
    static func revert(_ path: String, to version: Int = 1) throws {
        let database = try Database(path: path)
        try database.run(
            """
            DROP TRIGGER place_removed; DROP TRIGGER place_renamed; DROP VIEW place_text; DROP TABLE place_search;
            DROP INDEX place_position;
            CREATE VIRTUAL TABLE place_box USING rtree_i32(number, south, north, west, east);
            INSERT INTO place_box SELECT number, 0, 0, 0, 0 FROM place;
            CREATE TRIGGER place_moved AFTER UPDATE OF latitude, longitude ON place BEGIN
                UPDATE place_box SET south = 1 WHERE number = new.number;
            END;
            """)
        try database.run(version == 3 ? wordSearch : nameSearch)
        if version < 2 {
            for table in ["place", "filter", "anchor"] {
                try database.run("ALTER TABLE \(table) DROP COLUMN checksum")
            }
        }
        try database.run("PRAGMA user_version = \(version)")
    }

    /// Search of version 3. Its texts were derived by functions that only the daemon has.
    private static let wordSearch = """
        CREATE VIEW place_text AS SELECT number, name, kind AS words FROM place;
        CREATE VIRTUAL TABLE place_search USING fts5(
            name, words, content = 'place_text', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2',
            columnsize = 0);
        CREATE TRIGGER place_added AFTER INSERT ON place BEGIN
            INSERT INTO place_search (rowid, name, words) VALUES (new.number, new.name, new.kind);
        END;
        DELETE FROM word;
        """

    /// Search of versions 1 and 2.
    private static let nameSearch = """
        DROP TABLE word; DROP INDEX place_favorite;
        CREATE VIRTUAL TABLE place_name USING fts5(
            name, content = 'place', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2',
            columnsize = 0, prefix = '2 3');
        INSERT INTO place_name (place_name) VALUES ('rebuild');
        CREATE TRIGGER place_added AFTER INSERT ON place BEGIN
            INSERT INTO place_name (rowid, name) VALUES (new.number, new.name);
        END;
        CREATE TRIGGER place_removed AFTER DELETE ON place BEGIN
            INSERT INTO place_name (place_name, rowid, name) VALUES ('delete', old.number, old.name);
        END;
        CREATE TRIGGER place_renamed AFTER UPDATE OF name ON place WHEN new.name <> old.name BEGIN
            INSERT INTO place_name (place_name, rowid, name) VALUES ('delete', old.number, old.name);
            INSERT INTO place_name (rowid, name) VALUES (new.number, new.name);
        END;
        """

    /// Calls `body` with a folder that is there as long as it runs.
    static func inFolder<Value>(_ body: (String) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path)
    }
}
