import CSQLite
import Glibc

/// Error of SQLite: message, result code and advice.
public struct DatabaseError: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let message: String
    /// SQLite's primary result code.
    public let code: Int32

    /// Makes an error; an extended result code is reduced to its primary one.
    public init(path: String, message: String, code: Int32) {
        self.path = path
        self.message = message
        self.code = code & 0xFF
    }

    /// Makes an error for damage to a file that SQLite itself has not detected.
    package static func damage(_ path: String, _ message: String) -> DatabaseError {
        DatabaseError(path: path, message: message, code: SQLITE_CORRUPT)
    }

    /// Path, message and advice on one line.
    public var description: String { "\(path): \(reason)" }

    /// Message and advice, without the path.
    public var reason: String { reason(directory: "state.directory", user: "the daemon") }

    /// Returns message and advice.
    ///
    /// - Parameters:
    ///   - directory: setting of the database's folder.
    ///   - user: program that needs write access to it.
    package func reason(directory: String, user: String) -> String {
        advice(directory, user).map { "\(message): \($0)" } ?? message
    }

    /// Whether the file is damaged or not a database.
    package var meansDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    /// Whether the disk or the user's quota is full.
    package var meansFullDisk: Bool { code == SQLITE_FULL }

    private func advice(_ directory: String, _ user: String) -> String? {
        switch code {
        case SQLITE_FULL: "free disk space for \(directory)"
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: "\(directory) must be writable by \(user)"
        case SQLITE_BUSY, SQLITE_LOCKED: "another program has locked the file; stop it or wait"
        default: nil
        }
    }
}

/// Connection to an SQLite database, for one thread at a time.
package final class Database {
    package let path: String
    let handle: OpaquePointer
    private let access: Access
    /// Statements that begin and end transactions. They are prepared once, because some programs commit many times a
    /// second.
    private var transactionSteps: [TransactionStep: OpaquePointer] = [:]

    private enum TransactionStep: String {
        case begin = "BEGIN IMMEDIATE"
        case commit = "COMMIT"
        case rollBack = "ROLLBACK"
        case beginReading = "BEGIN"
    }

    /// Access of a connection to its file.
    package enum Access: Sendable {
        /// Reads and changes the file; creates it if it is missing.
        case change
        /// Reads the file and its write-ahead log; changes are refused for the given reason.
        case read(because: String)
        /// Reads the file without log and locks, because it never changes; changes are refused for the given reason.
        case readUnchanging(because: String)

        fileprivate var refusal: String? {
            switch self {
            case .change: nil
            case .read(let reason), .readUnchanging(let reason): reason
            }
        }
    }

    /// - Parameters:
    ///   - path: path of a file (created if it does not exist), `:memory:` or a `file:` URI. For read-only access only
    ///     the path of a file.
    ///   - waitMilliseconds: maximum time that a statement waits for another writer.
    package init(path: String, access: Access = .change, waitMilliseconds: Int32 = 5000) throws(DatabaseError) {
        var opened: OpaquePointer?
        let mode = access.refusal == nil ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let code = sqlite3_open_v2(Self.name(path, access), &opened, flags, nil)
        guard code == SQLITE_OK, let handle = opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(opened)
            throw DatabaseError(path: path, message: message, code: code)
        }
        self.path = path
        self.handle = handle
        self.access = access
        sqlite3_busy_timeout(handle, waitMilliseconds)
    }

    /// Returns the path or URI by which SQLite opens the file.
    private static func name(_ path: String, _ access: Access) -> String {
        guard case .readUnchanging = access else { return path }
        // Characters that end the path of a URI, or begin an escape.
        let escaped = path.unicodeScalars.map { scalar in
            "%?#".unicodeScalars.contains(scalar) ? "%" + String(scalar.value, radix: 16) : String(scalar)
        }
        return (path.hasPrefix("/") ? "file://" : "file:") + escaped.joined() + "?immutable=1"
    }

    /// Whether the connection only reads, either as requested or because the file could not be opened for changes.
    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    deinit {
        for statement in transactionSteps.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs statements whose rows are ignored.
    package func run(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Runs `body` in a write transaction, so that either all or none of its changes are made.
    package func transaction<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        var value: Value?
        _ = try attempt { () throws(DatabaseError) in
            value = try body()
            return true
        }
        return value!
    }

    /// Runs `body` in a write transaction, which is rolled back if `body` returns false.
    package func attempt(_ body: () throws(DatabaseError) -> Bool) throws(DatabaseError) -> Bool {
        try take(.begin)
        do {
            let isKept = try body()
            try take(isKept ? .commit : .rollBack)
            return isKept
        } catch {
            try? take(.rollBack)
            throw error
        }
    }

    /// Runs queries that see the same state of the database.
    package func snapshot<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        try take(.beginReading)
        defer { try? take(.commit) }
        return try body()
    }

    private func take(_ step: TransactionStep) throws(DatabaseError) {
        let statement: OpaquePointer
        if let known = transactionSteps[step] {
            statement = known
        } else {
            statement = try prepared(step.rawValue)
            transactionSteps[step] = statement
        }
        defer { sqlite3_reset(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw failure(code) }
    }

    package func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        Statement(try prepared(sql), of: self)
    }

    private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = prepared else { throw failure(code) }
        return statement
    }

    /// Number of rows changed by the last statement, without those changed by triggers.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    package func forgetLastRow() { sqlite3_set_last_insert_rowid(handle, 0) }

    /// Number of the row that was inserted last since `forgetLastRow()`; nil if there is none. Updates, and rows that
    /// triggers insert, do not count.
    package var newRow: Int64? {
        let number = sqlite3_last_insert_rowid(handle)
        return number == 0 ? nil : number
    }

    /// Returns the single number in the single row that results from `sql`.
    package func number(_ sql: String) throws(DatabaseError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    package func failure(_ code: Int32) -> DatabaseError {
        // SQLite detects a full disk. However, it reports an exhausted quota, or a disk that the system has remounted
        // read-only, as a disk failure. It does not keep the system's error of a commit, so errno is used, which has
        // not changed since the commit.
        let causes = [errno, sqlite3_system_errno(handle)]
        let isSystemError = code & 0xFF == SQLITE_IOERR
        if isSystemError, causes.contains(EDQUOT) {
            return DatabaseError(path: path, message: "the disk quota is exhausted", code: SQLITE_FULL)
        }
        if isSystemError, causes.contains(EROFS) {
            return DatabaseError(path: path, message: "the disk is read-only", code: SQLITE_READONLY)
        }
        let refusal = code & 0xFF == SQLITE_READONLY ? access.refusal : nil
        return DatabaseError(path: path, message: refusal ?? String(cString: sqlite3_errmsg(handle)), code: code)
    }
}
