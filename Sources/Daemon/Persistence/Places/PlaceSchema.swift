import CSQLite
import JSON
import Linux
import SQLite

/// Tables of the place store, and their migration from earlier versions.
///
/// `PlaceStore.insert` adds a new place to the full-text index, in the same transaction: from a trigger, FTS5 would
/// write its collected words to the file after each row, which takes longer than all else. Triggers keep the index
/// consistent where places change or are removed. It stores no texts but reads them from a view (external content,
/// because deletion from a contentless table needs SQLite 3.43, and Debian 12 has 3.40). In the view, the function
/// `place_words` derives the words from a row's kind and tags (`PlaceWords`). The index stores no lengths, which no
/// ranking needs. It stores no prefixes either, which would take a quarter of the file; `SearchQuery` lists the words
/// that a prefix begins. The words of the index are also in the table `word`, in which `Vocabulary` looks up words that
/// are similar to a misspelled one. Places are found by position in an ordinary index of bands of latitude, each
/// ordered by longitude.
package enum PlaceSchema {
    /// Migration steps from each version to the next; `user_version` of the file is the number of steps applied. The
    /// indexes that the earlier steps created are left out of them, because the last step replaces them.
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
        """,
        // A checksum is NULL in a row of version 1 that is read with the schema of this version, as `PlaceSalvage` does
        // with a damaged file.
        ProtectedTable.allCases.map { "ALTER TABLE \($0) ADD COLUMN checksum INTEGER; \($0.protection)" }.joined(),
        "CREATE TABLE word (text TEXT PRIMARY KEY) WITHOUT ROWID;"
            + "CREATE INDEX place_favorite ON place (number) WHERE favorite = 1;",
        // From here on, an index of positions takes the place of the R*Tree, into which a place took several times as
        // long, and names are found by their beginning.
        """
        DROP TRIGGER IF EXISTS place_added; DROP TRIGGER IF EXISTS place_removed; DROP TRIGGER IF EXISTS place_renamed;
        DROP TRIGGER IF EXISTS place_moved; DROP TABLE IF EXISTS place_box; DROP TABLE IF EXISTS place_name;
        DROP TABLE IF EXISTS place_search; DROP VIEW IF EXISTS place_text;
        CREATE INDEX place_position ON place (\(band), longitude, latitude);
        CREATE VIEW place_text AS SELECT number, \(texts("")) FROM place;
        CREATE VIRTUAL TABLE place_search USING fts5(
            name, words, beginning, content = 'place_text', content_rowid = 'number',
            tokenize = '\(WordSplitter.tokenize)', columnsize = 0);
        CREATE TRIGGER place_removed AFTER DELETE ON place BEGIN \(unsearchable) END;
        CREATE TRIGGER place_renamed AFTER UPDATE OF name, kind, tags ON place
        WHEN new.name <> old.name OR new.kind <> old.kind OR new.tags <> old.tags BEGIN
            \(unsearchable)
            INSERT INTO place_search (rowid, name, words, beginning) SELECT new.number, \(texts("new."));
        END;
        \(indexWords)
        """,
    ]

    /// Columns and tables that no statement in `PlaceStore.Statements` uses.
    static let usedColumns = [
        ("number, name, words, beginning", "place_text"), ("text", "word"), ("number, name, visit, finished", "source"),
        (ProtectedTable.filter.selection, "filter"), (ProtectedTable.anchor.selection, "anchor"),
    ]

    /// Builds the full-text index and the table of its words.
    private static let indexWords = """
        INSERT INTO place_search (place_search) VALUES ('rebuild');
        \(openIndexedWords) \(fillWords) \(closeIndexedWords)
        """
    /// Makes the words of the full-text index available as a table.
    private static let openIndexedWords =
        "CREATE VIRTUAL TABLE temp.indexed_word USING fts5vocab(main, place_search, row);"
    private static let fillWords =
        "DELETE FROM word; INSERT INTO word SELECT term FROM temp.indexed_word WHERE \(isWord);"
    private static let closeIndexedWords = "DROP TABLE temp.indexed_word;"
    /// Condition for a term of the full-text index that is a word of a place and not a `PlaceBeginning`.
    package static let isWord = "unicode(term) <> \(PlaceBeginning.mark.value)"

    /// Columns of the full-text index, derived from the columns of a row.
    private static func texts(_ row: String) -> String {
        "\(row)name AS name, place_words(\(row)kind, \(row)tags) AS words, place_beginning(\(row)name) AS beginning"
    }

    private static let unsearchable = """
        INSERT INTO place_search (place_search, rowid, name, words, beginning) SELECT 'delete', old.number, \(texts("old."));
        """

    /// Band of latitude that a row is in, as an SQL expression.
    static let band = "CAST((latitude + 90) * \(bandsPerDegree) AS INTEGER)"
    private static let bandsPerDegree = 500.0

    /// Returns the band of a latitude, by the same operations as in SQL. A band is 220 m high.
    static func band(latitudeDegrees: Double) -> Int64 { Int64((latitudeDegrees + 90) * bandsPerDegree) }

    /// Defines the functions that the schema and the statements call.
    static func defineFunctions(_ database: Database) throws(DatabaseError) {
        try database.defineRowChecksum()
        try database.define("place_words", arguments: 2) {
            PlaceWords(kind: $0[0], sortedTags: TagText.list($0[1])).text
        }
        // SQLite calls the function on the connection's thread only.
        nonisolated(unsafe) let splitter = try WordSplitter(database)
        try database.define("place_beginning", arguments: 1) { PlaceBeginning.text(splitter.words($0[0])) }
    }

    /// Application ID in the file header, shown by file(1): `WMpl`.
    private static let applicationID = 0x574D_706C

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

    /// Rebuilds the indexes of SQLite and the full-text index from the tables.
    package static func rebuildIndexes(_ database: Database) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in try database.run("REINDEX; \(indexWords)") }
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
        Dictionary(list(text)) { _, last in last }
    }

    /// Returns the tags from a JSON object in its order; members that are not strings are ignored.
    static func list(_ text: String) -> [(key: String, value: String)] {
        guard text != "{}", let object = try? JSONReader.read(Array(text.utf8)).object() else { return [] }
        return object.compactMap { name, value in
            guard let name = name.string, let text = value.string else { return nil }
            return (name, text)
        }
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
