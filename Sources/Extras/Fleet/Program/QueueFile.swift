import Glibc
import Linux
import SQLite

/// The opened file of the queue: connection, statements, and counters.
struct QueueFile {
    let database: Database
    let statements: QueueStatements
    var counters: QueueCounters
    /// Number of this boot, and the clocks of all boots.
    let boot: Int64
    let clocks: [Int64: ClockReading]

    init(_ path: String, bootIdentifier: String, clock: ClockReading) throws(DatabaseError) {
        database = try Database(path: path, waitMilliseconds: 1000)
        try QueueSchema.prepare(database)
        statements = try QueueStatements(database)
        counters = try QueueCounters(database)
        boot = try statements.boot(identifier: bootIdentifier, clock: clock)
        clocks = try statements.clocks()
    }

    /// Returns the error for an empty file, which SQLite would take for a new database; nil if it is not empty or does
    /// not exist.
    static func emptyFile(_ path: String) -> DatabaseError? {
        guard let status = try? File.status(of: path), status.size == 0 else { return nil }
        return .damage(path, "the file is empty")
    }

    /// Renames a damaged file, replacing an earlier damaged file.
    static func putAside(_ path: String, _ error: DatabaseError) {
        let aside = damaged(path)
        Log.error("the queue is damaged (\(error.message)); it is kept as \(aside), and a new one begins")
        for suffix in suffixes { try? File.rename(path + suffix, to: aside + suffix) }
    }

    /// Removes a damaged file that was moved aside, because its positions are subject to obsolete privacy rules.
    static func removeDamaged(_ path: String) {
        for suffix in suffixes { unlink(damaged(path) + suffix) }
    }

    private static func damaged(_ path: String) -> String { path + ".damaged" }

    /// Suffixes of the file and of its journal.
    private static let suffixes = ["", "-wal"]
}
