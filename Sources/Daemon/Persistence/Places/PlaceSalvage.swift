import CSQLite
import Linux
import Scene
import SQLite

/// Recovers the rows of a damaged database into a new one.
///
/// SQLite reads a scratch copy: forwards until it meets damage, backwards until it meets damage, and row by row in
/// between, because finding one row reads only the few pages that lead to it. If the first page, with the header and
/// the roots of the tables, is lost, the new database's first page replaces it, because both were created by the same
/// steps.
struct PlaceSalvage {
    private let store: PlaceStore
    /// Path of the damaged file.
    private let path: String
    /// Whether the rows have checksums; the rows of the first version have none.
    private var hasChecksums = true
    private var report: SalvageReport

    /// Number of consecutive misses after which the row-by-row search ends. `beyond` applies if the last row of the
    /// table is unknown, and equals the number of rows on hundreds of damaged pages. `between` applies if the last row
    /// is known; reading that many takes a few seconds.
    private static let maximumProbeCounts: (beyond: Int64, between: Int64) = (20_000, 1_000_000)

    /// Recovers the readable rows of the file at `path` into an empty store, in one transaction.
    static func run(_ path: String, into store: PlaceStore, problem: String) throws(DatabaseError) -> SalvageReport {
        var salvage = PlaceSalvage(store: store, path: path, problem: problem)
        var scratch = ScratchDatabase(of: path, template: store.file.path)
        defer { scratch.remove() }
        try store.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        guard let damaged = scratch.open() else {
            salvage.report.isComplete = false
            return salvage.report
        }
        salvage.hasChecksums = scratch.hasChecksums(damaged)
        try store.change { () throws(DatabaseError) in
            try salvage.takePlaces(of: damaged)
            try salvage.takeSources(of: damaged)
            try salvage.takeSaved(of: damaged)
        }
        return salvage.report
    }

    private init(store: PlaceStore, path: String, problem: String) {
        (self.store, self.path) = (store, path)
        report = SalvageReport(problem: problem)
    }

    private mutating func takePlaces(of damaged: Database) throws(DatabaseError) {
        try read(.place, damaged) { salvage, row throws(DatabaseError) in
            // Lost sectors read as zeros; without a checksum only a check of the content detects them.
            guard let place = PlaceStore.place(row), PlaceLimits.flaw(of: place) == nil,
                !(place.id + place.name + place.kind).utf8.contains(0)
            else { return false }
            guard try salvage.store.insert(place, source: row.integer(9), visit: row.integer(10)) else { return true }
            salvage.report.places += 1
            salvage.report.favorites += place.isFavorite ? 1 : 0
            return true
        }
    }

    /// Recovers the names of the sources. A source whose name is lost gets a substitute name, so that its number is not
    /// reused.
    private mutating func takeSources(of damaged: Database) throws(DatabaseError) {
        let insert = try store.database.prepare(
            "INSERT OR IGNORE INTO source (number, name, visit, finished) VALUES (?, ?, ?, ?)")
        try read("source", ["number", "name", "visit", "finished"], damaged) { salvage, row throws(DatabaseError) in
            try insert.run(
                .integer(row.integer(0)), .text(row.text(1)), .integer(row.integer(2)), .integer(row.integer(3)))
            return true
        }
        try store.database.run(
            """
            INSERT OR IGNORE INTO source (number, name, visit, finished)
                SELECT source, 'recovered ' || source, max(visit), 0 FROM place WHERE source > 0 GROUP BY source
            """)
    }

    private mutating func takeSaved(of damaged: Database) throws(DatabaseError) {
        let filter = try store.database.prepare("INSERT OR IGNORE \(ProtectedTable.filter.insertion)")
        try read(.filter, damaged) { salvage, row throws(DatabaseError) in
            guard row.real(2).isFinite, salvage.report.filters <= PlaceStore.maximumFilterCount else { return false }
            try filter.run(
                .text(row.text(0)), .text(row.text(1)), .real(row.real(2)), .integer(row.integer(3) != 0 ? 1 : 0))
            salvage.report.filters += salvage.store.database.changes
            return true
        }
        let anchor = try store.database.prepare("INSERT OR IGNORE \(ProtectedTable.anchor.insertion)")
        try read(.anchor, damaged) { salvage, row throws(DatabaseError) in
            try anchor.run(.text(row.text(0)), .text(row.text(1)))
            salvage.report.anchors += salvage.store.database.changes
            return true
        }
    }

    // MARK: rows

    /// Processes a row; returns false if its content is invalid.
    private typealias Take = (inout PlaceSalvage, Statement) throws(DatabaseError) -> Bool

    /// Passes each row that matches its checksum to `take`.
    private mutating func read(_ table: ProtectedTable, _ damaged: Database, _ take: Take) throws(DatabaseError) {
        let isSound = hasChecksums ? table.isSound : "1"
        try read(table.rawValue, table.columns + [isSound], damaged) { salvage, row throws(DatabaseError) in
            guard row.integer(table.soundness) != 0 else {
                salvage.report.damagedRows += 1
                return false
            }
            return try take(&salvage, row)
        }
    }

    /// Passes each readable row to `take`, with columns counted from 0.
    private mutating func read(
        _ table: String, _ columns: [String], _ damaged: Database, _ take: Take
    ) throws(DatabaseError) {
        let selection = columns.joined(separator: ", ")
        let select = "SELECT \(selection), rowid FROM \(table) NOT INDEXED WHERE rowid"
        let number = Int32(columns.count)
        guard let forwards = try? damaged.prepare("\(select) > 0 ORDER BY rowid"),
            let backwards = try? damaged.prepare("\(select) > ? ORDER BY rowid DESC"),
            let single = try? damaged.prepare("\(select) = ?")
        else {
            noteUnreadable()
            return
        }
        var last: Int64 = 0
        if try walk(forwards, take, note: { last = $0.integer(number) }) { return }
        noteUnreadable()
        var first = Int64.max
        if (try? backwards.bind(.integer(last))) != nil {
            _ = try walk(backwards, take) { first = $0.integer(number) }
        }
        // The last row is unknown if the end of the table is damaged.
        var (next, found) = (last, last)
        let maximum = first == .max ? Self.maximumProbeCounts.beyond : Self.maximumProbeCounts.between
        while next < first - 1, next - found < maximum {
            next += 1
            guard (try? single.bind(.integer(next))) != nil else { continue }
            _ = try walk(single, take) { found = $0.integer(number) }
        }
    }

    private mutating func noteUnreadable() { (report.isComplete, report.hasUnreadableRows) = (false, true) }

    /// Processes the rows of a query; returns false if the query met damage.
    private mutating func walk(
        _ rows: Statement, _ take: Take, note: (Statement) -> Void
    ) throws(DatabaseError) -> Bool {
        defer { rows.reset() }
        while true {
            guard let hasRow = try? rows.step() else { return false }
            guard hasRow else { return true }
            note(rows)
            if try !take(&self, rows) { report.isComplete = false }
        }
    }
}

/// Temporary copy of a damaged database. SQLite may modify the copy, but never the original.
private struct ScratchDatabase {
    private let original: String
    private let path: String
    /// Path of an intact database with the same tables.
    private let template: String
    /// Whether the template's first page has replaced the copy's.
    private var isGrafted = false

    private static let chunk = 1 << 20
    /// SQLite's default page size. Unit: bytes.
    private static let pageSize = 4096

    init(of original: String, template: String) {
        self.original = original
        self.template = template
        path = template + ".salvage"
    }

    private static let parts = ["", "-wal"]

    /// Makes a copy whose tables SQLite can read, and opens it; returns nil if that is impossible.
    mutating func open() -> Database? {
        for isGrafted in [false, true] {
            self.isGrafted = isGrafted
            remove()
            do throws(FileError) {
                for part in Self.parts { try copy(part) }
                if isGrafted { try graft() }
            } catch {
                Log.error("\(original): its rows cannot be recovered: \(error)")
                return nil
            }
            if let database = try? Database(path: path), Self.isReadable(database) { return database }
        }
        return nil
    }

    func remove() {
        for part in Self.parts + ["-shm", "-journal"] { File.remove(path + part) }
    }

    /// Whether the table of places is found, even if the rest of the schema is damaged.
    private static func isReadable(_ database: Database) -> Bool {
        (try? database.defineRowChecksum()) != nil
            && (try? database.run("PRAGMA writable_schema = ON; PRAGMA query_only = ON")) != nil
            && (try? database.prepare("SELECT \(ProtectedTable.place.selection("1")) FROM place")) != nil
    }

    /// Whether the rows have checksums, according to the schema; if the schema is the template's, according to the
    /// first rows.
    func hasChecksums(_ database: Database) -> Bool {
        let first = "SELECT count(checksum) FROM (SELECT checksum FROM place NOT INDEXED LIMIT 100)"
        guard (try? database.prepare(first)) != nil else { return false }
        return !isGrafted || (try? database.number(first)) != 0
    }

    private func copy(_ part: String) throws(FileError) {
        guard (try? File.status(of: original + part))?.isRegular == true else { return }
        let from = try File.openForReading(original + part)
        let to = try File.createNew(path + part, mode: 0o600)
        while true {
            var bytes = try from.read(atMost: Self.chunk)
            // SQLite would read the missing part of a truncated page as zeros.
            if part.isEmpty { bytes.removeLast(bytes.count % Self.pageSize) }
            if bytes.isEmpty { return }
            try to.write(bytes)
        }
    }

    /// Replaces the first page of the copy with the template's.
    private func graft() throws(FileError) {
        var page = try File.openForReading(template).read(atMost: Self.pageSize)
        let file = try File.openForChange(path)
        let pages = UInt32(clamping: try file.status().size / Int64(Self.pageSize))
        guard page.count == Self.pageSize else { return }
        func put(_ value: UInt32, at offset: Int) {
            for byte in 0..<4 { page[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * byte)) }
        }
        // SQLite uses the size in the header (at offset 28) only if the change counter (24) equals the
        // version-valid-for number (92). The list of free pages (32, 36) is made empty.
        for (offset, value) in [(24, 1), (28, max(1, pages)), (32, 0), (36, 0), (92, 1)] as [(Int, UInt32)] {
            put(value, at: offset)
        }
        // Format versions: 2 with a write-ahead log, 1 without.
        let hasLog = (try? File.status(of: path + "-wal")) != nil
        page[18] = hasLog ? 2 : 1
        page[19] = page[18]
        try file.write(page)
    }
}
