import CSQLite

/// What SQLite refused, and in which words.
public struct DatabaseError: Error, CustomStringConvertible {
    public let path: String
    public let message: String

    public var description: String { "\(path): \(message)" }
}

/// One connection to an SQLite database, for one thread.
final class Database {
    let path: String
    private let handle: OpaquePointer

    /// - Parameter path: a file that is made when it is not there, or `:memory:`.
    init(path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let handle = opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(opened)
            throw DatabaseError(path: path, message: message)
        }
        self.path = path
        self.handle = handle
        // Another program may hold the file for a moment, when it looks in or makes a backup.
        sqlite3_busy_timeout(handle, 1000)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements that give no rows.
    func run(_ sql: String) throws(DatabaseError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    /// Runs `body` in a transaction: all of it or nothing.
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            try? run("ROLLBACK")
            throw error
        }
    }

    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil) == SQLITE_OK,
            let statement = prepared
        else { throw failure() }
        return Statement(statement, of: self)
    }

    fileprivate func failure() -> DatabaseError {
        DatabaseError(path: path, message: String(cString: sqlite3_errmsg(handle)))
    }
}

/// A prepared statement; columns and parameters count from 0.
final class Statement {
    private let statement: OpaquePointer
    private let database: Database

    fileprivate init(_ statement: OpaquePointer, of database: Database) {
        self.statement = statement
        self.database = database
    }

    deinit { sqlite3_finalize(statement) }

    func bind(_ values: Value...) throws(DatabaseError) {
        sqlite3_reset(statement)
        for (index, value) in values.enumerated() {
            let parameter = Int32(index + 1)
            let code =
                switch value {
                case .integer(let integer): sqlite3_bind_int64(statement, parameter, integer)
                case .real(let real): sqlite3_bind_double(statement, parameter, real)
                case .text(let text): bindText(text, parameter)
                }
            guard code == SQLITE_OK else { throw database.failure() }
        }
    }

    /// Goes to the next row; false when there is none.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.failure()
        }
    }

    func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String { sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "" }

    private func bindText(_ text: String, _ parameter: Int32) -> Int32 {
        // SQLITE_TRANSIENT: SQLite copies before the call returns.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return sqlite3_bind_text(statement, parameter, text, -1, transient)
    }

    enum Value {
        case integer(Int64)
        case real(Double)
        case text(String)
    }
}
