import CSQLite

/// Prepared statement; columns and parameters are numbered from 0.
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
        case blob([UInt8])
        case none
    }

    /// SQLITE_TRANSIENT: bound values are copied before the call returns.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

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
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(statement, parameter, $0.baseAddress, Int32($0.count), Self.copied)
            }
        case .text(var text):
            // The length is passed, since the text may contain NUL.
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let first = characters.baseAddress else {
                        // A null pointer would bind NULL instead of an empty text.
                        return sqlite3_bind_text(statement, parameter, "", 0, Self.copied)
                    }
                    return sqlite3_bind_text(statement, parameter, first, Int32(characters.count), Self.copied)
                }
            }
        }
    }

    /// Steps to the next row; false after the last.
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

    package func run(_ values: Value...) throws(DatabaseError) { try run(values) }

    package func run(_ values: [Value]) throws(DatabaseError) {
        try bind(values)
        while try step() {}
    }

    /// Ends a query before its last row, because an open read transaction would prevent checkpoints of the write-ahead
    /// log.
    package func reset() { sqlite3_reset(statement) }

    /// Number of steps of SQLite's virtual machine so far, a measure of the work that does not depend on the computer.
    package var workCount: Int { Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    package func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
