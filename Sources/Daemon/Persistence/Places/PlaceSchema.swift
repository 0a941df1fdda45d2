import CSQLite
import JSON
import Linux
import SQLite

/// Tables of the place store, and their migration from earlier versions.
///
/// Triggers keep the R*Tree and the full-text index consistent with the table of places, in the same transaction. The
/// full-text index stores no texts but reads them from a view (external content, because deletion from a contentless
/// table needs SQLite 3.43, and Debian 12 has 3.40). In the view, the function `place_words` derives the words from a
/// row's kind and tags (`PlaceWords`). The index stores no lengths, which no ranking needs. It stores no prefixes
/// either, which would take a quarter of the file to save a few milliseconds among 100 000 places. The words of the
/// index are also in the table `word`, in which `Vocabulary` looks up words that are similar to a misspelled one. The
/// R*Tree stores integers in units of 1e-7 degrees, at most 1.1 cm, because the steps of its usual single-precision
/// floats are as large as 1.7 m.
package enum PlaceSchema {
    /// Migration steps from each version to the next; `user_version` of the file is the number of steps applied.
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
        """,
        // A checksum is NULL in a row of version 1 that is read with the schema of this version, as `PlaceSalvage` does
        // with a damaged file.
        ProtectedTable.allCases.map { "ALTER TABLE \($0) ADD COLUMN checksum INTEGER; \($0.protection)" }.joined(),
        // From here on, kinds, addresses and other names are searched too, and words with typos are found.
        """
        DROP TRIGGER place_added; DROP TRIGGER place_removed; DROP TRIGGER place_renamed; DROP TABLE place_name;
        CREATE VIEW place_text AS SELECT number, name, \(words("")) AS words FROM place;
        CREATE VIRTUAL TABLE place_search USING fts5(
            name, words, content = 'place_text', content_rowid = 'number', tokenize = '\(WordSplitter.tokenize)',
            columnsize = 0);
        CREATE TABLE word (text TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE INDEX place_favorite ON place (number) WHERE favorite = 1;
        CREATE TRIGGER place_added AFTER INSERT ON place BEGIN
            INSERT INTO place_box VALUES (
                new.number, \(units("latitude")), \(units("latitude")), \(units("longitude")), \(units("longitude")));
            \(searchable("new"))
        END;
        CREATE TRIGGER place_removed AFTER DELETE ON place BEGIN
            DELETE FROM place_box WHERE number = old.number;
            \(unsearchable("old"))
        END;
        CREATE TRIGGER place_renamed AFTER UPDATE OF name, kind, tags ON place
        WHEN new.name <> old.name OR new.kind <> old.kind OR new.tags <> old.tags BEGIN
            \(unsearchable("old")) \(searchable("new"))
        END;
        \(indexWords)
        """,
    ]

    /// Builds the full-text index and the table of its words.
    private static let indexWords = """
        INSERT INTO place_search (place_search) VALUES ('rebuild');
        \(openIndexedWords) \(fillWords) \(closeIndexedWords)
        """
    /// Makes the words of the full-text index available as a table.
    private static let openIndexedWords =
        "CREATE VIRTUAL TABLE temp.indexed_word USING fts5vocab(main, place_search, row);"
    private static let fillWords = "DELETE FROM word; INSERT INTO word SELECT term FROM temp.indexed_word;"
    private static let closeIndexedWords = "DROP TABLE temp.indexed_word;"

    private static func words(_ row: String) -> String { "place_words(\(row)kind, \(row)tags)" }

    private static func searchable(_ row: String) -> String {
        "INSERT INTO place_search (rowid, name, words) VALUES (\(row).number, \(row).name, \(words(row + ".")));"
    }

    private static func unsearchable(_ row: String) -> String {
        """
        INSERT INTO place_search (place_search, rowid, name, words)
        VALUES ('delete', \(row).number, \(row).name, \(words(row + ".")));
        """
    }

    /// Defines the functions that the schema and the statements call.
    static func defineFunctions(_ database: Database) throws(DatabaseError) {
        try database.defineRowChecksum()
        try database.define("place_words", arguments: 2) { PlaceWords.text(kind: $0[0], tags: $0[1]) }
    }

    /// Application ID in the file header, shown by file(1): `WMpl`.
    private static let applicationID = 0x574D_706C

    /// Number of units of the R*Tree per degree.
    package static let unitsPerDegree = 1e7

    private static func units(_ column: String) -> String { whole("new." + column) }

    private static func whole(_ degrees: String) -> String { "CAST(round(\(degrees) * 1e7) AS INTEGER)" }

    /// Migrates the file to this version; a file of a newer version is refused and left unchanged.
    package static func bringUpToDate(_ database: Database) throws(DatabaseError) {
        let first = try version(database)
        guard first != steps.count else { return }
        guard !database.isReadOnly else { throw tooOld(database, first) }
        if first > 0 {
            try requireRoom(database)
            Log.notice("\(database.path): the place database is being brought up to schema version \(steps.count)")
        }
        try database.transaction { () throws(DatabaseError) in
            // Another connection may have migrated the file in the meantime.
            let present = try version(database)
            for step in steps[present...] { try database.run(step) }
            try database.run("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count);")
        }
        if first > 0 { Log.notice("\(database.path): the place database is up to date") }
    }

    /// Throws an error if the disk has too little free space for the migration, which rewrites all rows.
    private static func requireRoom(_ database: Database) throws(DatabaseError) {
        guard let file = try? File.openForReading(database.path), let size = try? file.status().size,
            let free = file.freeBytes, free < UInt64(size) * 3 / 2
        else { return }
        throw DatabaseError(
            path: database.path,
            message: "bringing it up to date needs \(size * 3 / 2_000_000) MB of free space on its disk: free some",
            code: SQLITE_FULL)
    }

    private static func tooOld(_ database: Database, _ version: Int) -> DatabaseError {
        DatabaseError(
            path: database.path,
            message: version == 0
                ? "the file is empty"
                : "written by an earlier waymarkd (schema version \(version)), and cannot be brought up to date",
            code: SQLITE_READONLY)
    }

    /// Rebuilds the indexes of SQLite, the R*Tree and the full-text index from the tables.
    package static func rebuildIndexes(_ database: Database) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            try database.run(
                """
                REINDEX;
                \(indexWords)
                DELETE FROM place_box;
                INSERT INTO place_box SELECT number, \(whole("latitude")), \(whole("latitude")),
                    \(whole("longitude")), \(whole("longitude")) FROM place;
                """)
        }
    }

    /// Rebuilds the table of words from the full-text index.
    static func rebuildWords(_ database: Database) throws(DatabaseError) {
        try withIndexedWords(database) { () throws(DatabaseError) in try database.run(fillWords) }
    }

    /// Runs `body` with the words of the full-text index in the table `temp.indexed_word`.
    package static func withIndexedWords<Value>(
        _ database: Database, _ body: () throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        try database.run(openIndexedWords)
        defer { try? database.run(closeIndexedWords) }
        return try body()
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

/// Format of text columns. Tags are one JSON object with sorted names, and a list of texts is one JSON array.
package enum TagText {
    package static func write(_ tags: [String: String]) -> String {
        guard !tags.isEmpty else { return "{}" }
        var json = JSONWriter(capacity: 64 * tags.count)
        json.beginObject()
        for (name, text) in tags.sorted(by: { $0.key < $1.key }) {
            json.value(name)
            json.text.append(UInt8(ascii: ":"))
            json.value(text)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns the tags from a JSON object; members that are not strings are ignored.
    package static func read(_ text: String) -> [String: String] {
        guard text != "{}", let object = try? JSONReader.read(Array(text.utf8)).object() else { return [:] }
        var tags: [String: String] = [:]
        for (name, value) in object {
            if let name = name.string, let text = value.string { tags[name] = text }
        }
        return tags
    }

    package static func writeList(_ texts: [String]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for text in texts { json.value(text) }
        json.endArray()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    package static func readList(_ text: String) -> [String] {
        guard let array = try? JSONReader.read(Array(text.utf8)).array() else { return [] }
        return array.compactMap(\.string)
    }
}
