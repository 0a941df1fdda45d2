import CSQLite

/// A prepared statement; columns and parameters count from 0.
package final class Statement {
    private let statement: OpaquePointer
    private let database: Database

    package init(_ statement: OpaquePointer, of database: Database) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    package enum Value {
        case integer(Int64)
        case real(Double)
        case text(String)
        case none
    }

    package func bind(_ values: Value...) throws(DatabaseError) { try bind(values) }

    private func bind(_ values: [Value]) throws(DatabaseError) {
        sqlite3_reset(statement)
        for (index, value) in values.enumerated() {
            let code = bind(value, Int32(index + 1))
            guard code == SQLITE_OK else { throw database.failure(code) }
        }
    }

    private func bind(_ value: Value, _ parameter: Int32) -> Int32 {
        switch value {
        case .integer(let integer): return sqlite3_bind_int64(statement, parameter, integer)
        case .real(let real): return sqlite3_bind_double(statement, parameter, real)
        case .none: return sqlite3_bind_null(statement, parameter)
        case .text(var text):
            // With its length, so that a NUL in it does not end it. SQLITE_TRANSIENT: copied before the call returns.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let first = characters.baseAddress else {
                        // No address would be NULL.
                        return sqlite3_bind_text(statement, parameter, "", 0, transient)
                    }
                    return sqlite3_bind_text(statement, parameter, first, Int32(characters.count), transient)
                }
            }
        }
    }

    /// Goes to the next row; false when there is none.
    package func step() throws(DatabaseError) -> Bool {
        let code = sqlite3_step(statement)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(statement)
            return false
        default:
            let failure = database.failure(code)
            sqlite3_reset(statement)
            throw failure
        }
    }

    /// Runs to its end.
    package func run(_ values: Value...) throws(DatabaseError) {
        try bind(values)
        while try step() {}
    }

    /// Ends a query before its last row: an open one would keep the log from being emptied.
    package func reset() { sqlite3_reset(statement) }

    package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
