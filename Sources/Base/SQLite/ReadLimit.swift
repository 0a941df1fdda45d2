import CSQLite

/// Limit of what queries read.
extension Database {
    /// Runs queries, and interrupts them once they have read a number of pages of the database, or a few more.
    ///
    /// FTS5 may read much of its index before it returns a row, which neither `LIMIT` nor a count of rows bounds.
    /// Unlike a time, the number of pages depends only on what is stored, so that equal searches find the same.
    ///
    /// - Returns: the number of pages read; nil if the queries were interrupted.
    package func read(atMost pages: Int, _ body: () throws(DatabaseError) -> Void) throws(DatabaseError) -> Int? {
        let limit = ReadLimit(self, pages: pages)
        sqlite3_progress_handler(
            handle, ReadLimit.interval,
            { Unmanaged<ReadLimit>.fromOpaque($0!).takeUnretainedValue().isReached ? 1 : 0 },
            Unmanaged.passUnretained(limit).toOpaque())
        defer { withExtendedLifetime(limit) { sqlite3_progress_handler(handle, 0, nil, nil) } }
        do throws(DatabaseError) {
            try body()
            return limit.read
        } catch {
            guard error.code == SQLITE_INTERRUPT else { throw error }
            return nil
        }
    }
}

private final class ReadLimit {
    private unowned let database: Database
    private let pages: Int
    private var first: Int32 = 0

    /// Number of SQLite's instructions between two checks; reading a page takes about five.
    static let interval: Int32 = 16

    init(_ database: Database, pages: Int) {
        self.database = database
        self.pages = pages
        first = total
    }

    var isReached: Bool { read >= pages }

    /// Number of pages read since the limit began, from the cache or the disk.
    var read: Int { Int((total &- first) & Int32.max) }

    /// Number of pages that the connection has read, modulo 2³¹.
    private var total: Int32 {
        var (hits, misses, unused): (Int32, Int32, Int32) = (0, 0, 0)
        sqlite3_db_status(database.handle, SQLITE_DBSTATUS_CACHE_HIT, &hits, &unused, 0)
        sqlite3_db_status(database.handle, SQLITE_DBSTATUS_CACHE_MISS, &misses, &unused, 0)
        return hits &+ misses
    }
}
