import CSQLite

/// The tables of the place store, and how those of an older daemon become those of this one.
///
/// Indexes that find a place (the R*Tree, the full-text index) follow the table by triggers: whatever changes the
/// table, and
/// wherever the power goes, they agree. The text index keeps no names of its own but reads those of the table (external
/// content; deleting from a table without content needs SQLite 3.43, Debian 12 has 3.40), and no lengths, which nothing here
/// ranks by. The R*Tree counts in ten
/// millionths of a degree, 1.1 cm at most: the floats of the usual one are as coarse as 1.7 m.
package enum PlaceSchema {
    /// Steps from each version to the next; the file's `user_version` counts those that were taken.
    private static let steps = [
        """
        CREATE TABLE place (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            height_kind INTEGER NOT NULL,
            height REAL NOT NULL,
            tags TEXT NOT NULL,
            favorite INTEGER NOT NULL,
            source INTEGER NOT NULL,
            visit INTEGER NOT NULL);
        CREATE TABLE source (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, visit INTEGER NOT NULL,
            finished INTEGER NOT NULL);
        CREATE TABLE filter (
            name TEXT PRIMARY KEY, kinds TEXT NOT NULL, radius REAL NOT NULL, favorites INTEGER NOT NULL);
        CREATE TABLE anchor (id TEXT PRIMARY KEY, document TEXT NOT NULL);
        CREATE VIRTUAL TABLE place_box USING rtree_i32(number, south, north, west, east);
        CREATE VIRTUAL TABLE place_name USING fts5(
            name, content = 'place', content_rowid = 'number', tokenize = 'unicode61 remove_diacritics 2',
            columnsize = 0, prefix = '2 3');
        CREATE TRIGGER place_added AFTER INSERT ON place BEGIN
            INSERT INTO place_box VALUES (
                new.number, \(units("latitude")), \(units("latitude")), \(units("longitude")), \(units("longitude")));
            INSERT INTO place_name (rowid, name) VALUES (new.number, new.name);
        END;
        CREATE TRIGGER place_removed AFTER DELETE ON place BEGIN
            DELETE FROM place_box WHERE number = old.number;
            INSERT INTO place_name (place_name, rowid, name) VALUES ('delete', old.number, old.name);
        END;
        CREATE TRIGGER place_moved AFTER UPDATE OF latitude, longitude ON place
        WHEN new.latitude <> old.latitude OR new.longitude <> old.longitude BEGIN
            UPDATE place_box SET south = \(units("latitude")), north = \(units("latitude")),
                west = \(units("longitude")), east = \(units("longitude")) WHERE number = new.number;
        END;
        CREATE TRIGGER place_renamed AFTER UPDATE OF name ON place WHEN new.name <> old.name BEGIN
            INSERT INTO place_name (place_name, rowid, name) VALUES ('delete', old.number, old.name);
            INSERT INTO place_name (rowid, name) VALUES (new.number, new.name);
        END;
        """
    ]

    /// Application id that `file` reports: `WMpl`.
    private static let applicationID = 0x574D_706C

    /// Units of the R*Tree in a degree.
    package static let unitsPerDegree = 1e7

    private static func units(_ column: String) -> String { whole("new." + column) }

    private static func whole(_ degrees: String) -> String { "CAST(round(\(degrees) * 1e7) AS INTEGER)" }

    /// Brings the file to this daemon's version; a file of a newer one is left as it is and refused.
    package static func bringUpToDate(_ database: Database) throws(DatabaseError) {
        guard try version(database) != steps.count else { return }
        try database.transaction { () throws(DatabaseError) in
            // Another connection may have done it meanwhile.
            let present = try version(database)
            for step in steps[present...] { try database.run(step) }
            try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count);")
        }
    }

    /// Makes what finds places from the table of the places.
    package static func rebuildIndexes(_ database: Database) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO place_name (place_name) VALUES ('rebuild');
                DELETE FROM place_box;
                INSERT INTO place_box SELECT number, \(whole("latitude")), \(whole("latitude")),
                    \(whole("longitude")), \(whole("longitude")) FROM place;
                """)
        }
    }

    private static func version(_ database: Database) throws(DatabaseError) -> Int {
        let version = Int(try database.number("PRAGMA user_version"))
        guard (0...steps.count).contains(version) else {
            throw DatabaseError(
                path: database.path,
                message:
                    "written by a newer waymarkd (schema version \(version), supported up to \(steps.count)): install "
                    + "that version again, or move the file away",
                code: SQLITE_ERROR)
        }
        return version
    }
}
