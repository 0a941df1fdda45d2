import Persistence
import SQLite

/// Integrity check of the store.
extension PlaceStore {
    /// Flaws of the file, including its indexes; empty if there are none. Reads the whole file.
    func flaws() throws(DatabaseError) -> [String] {
        var found: [String] = []
        let check = try database.prepare("PRAGMA integrity_check")
        while try check.step() {
            if check.text(0) != "ok" { found.append(check.text(0)) }
        }
        do throws(DatabaseError) {
            // Rank 1 compares the index with the external content.
            try database.run("INSERT INTO place_search (place_search, rank) VALUES ('integrity-check', 1)")
        } catch {
            found.append("the search index is inconsistent: \(error.message)")
        }
        let words = try unknownWords()
        if words > 0 { found.append("\(words) words of the search index are unknown") }
        let rows = try ProtectedTable.damagedRows(database)
        if rows > 0 { found.append("\(rows) rows with a wrong checksum") }
        return found
    }

    /// Number of words of the search index that are missing in the table of words.
    private func unknownWords() throws(DatabaseError) -> Int64 {
        try PlaceSchema.withIndexedWords(database) { () throws(DatabaseError) in
            try database.number(
                """
                SELECT count(*) FROM temp.indexed_word
                WHERE \(PlaceSchema.isWord) AND term NOT IN (SELECT text FROM word)
                """)
        }
    }

    /// Whether the last visit of the source was complete; nil for an unknown source.
    func isComplete(source: String) throws(DatabaseError) -> Bool? {
        let statement = try database.prepare("SELECT finished = visit FROM source WHERE name = ?")
        try statement.bind(.text(source))
        guard try statement.step() else { return nil }
        return statement.integer(0) != 0
    }
}
