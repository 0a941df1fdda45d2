import CSQLite
import Glibc

/// Splits texts into words with the SQLite tokenizer that the full-text index FTS5 uses, so that both always find the
/// same words.
///
/// `unicode61` folds case and removes diacritics; all characters except letters and digits separate words.
package final class WordSplitter {
    private var tokenizer = fts5_tokenizer()
    private let instance: OpaquePointer

    /// The tokenizer, as the value of an index's `tokenize` option.
    package static let tokenize = "unicode61 remove_diacritics 2"

    package init(_ database: Database) throws(DatabaseError) {
        let api = try Self.api(database)
        let names = Self.tokenize.split(separator: " ").map { strdup(String($0)) }
        defer { names.forEach { free($0) } }
        var context: UnsafeMutableRawPointer?
        var code = api.pointee.xFindTokenizer(api, names[0], &context, &tokenizer)
        var made: OpaquePointer?
        if code == SQLITE_OK {
            var arguments = names.dropFirst().map { UnsafePointer<CChar>($0) }
            code = tokenizer.xCreate(context, &arguments, Int32(arguments.count), &made)
        }
        guard code == SQLITE_OK, let made else { throw database.failure(code) }
        instance = made
    }

    deinit { tokenizer.xDelete(instance) }

    /// Returns the words of a text in order, in UTF-8.
    package func words(_ text: String) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var text = text
        withUnsafeMutablePointer(to: &words) { words in
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { split($0, into: words) }
            }
        }
        return words
    }

    private func split(_ text: UnsafeBufferPointer<CChar>, into words: UnsafeMutablePointer<[[UInt8]]>) {
        // `xTokenize` returns the result of the closure.
        _ = tokenizer.xTokenize(
            instance, words, FTS5_TOKENIZE_DOCUMENT, text.baseAddress, Int32(text.count),
            { words, _, token, count, _, _ in
                let word = Array(UnsafeRawBufferPointer(start: token, count: Int(count)))
                words!.assumingMemoryBound(to: [[UInt8]].self).pointee.append(word)
                return SQLITE_OK
            })
    }

    /// Returns the interface of FTS5, which SQLite provides through a statement.
    private static func api(_ database: Database) throws(DatabaseError) -> UnsafeMutablePointer<fts5_api> {
        var api: UnsafeMutablePointer<fts5_api>?
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(database.handle, "SELECT fts5(?)", -1, &statement, nil)
        guard code == SQLITE_OK else { throw database.failure(code) }
        withUnsafeMutablePointer(to: &api) {
            sqlite3_bind_pointer(statement, 1, $0, "fts5_api_ptr", nil)
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_ROW, let api else { throw database.failure(code) }
        return api
    }
}
