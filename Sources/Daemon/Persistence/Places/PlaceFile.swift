import CSQLite
import Glibc
import Linux
import Synchronization
import SQLite

/// Database file of the places, and the state shared by its connections on several threads.
package final class PlaceFile: Sendable {
    package let path: String
    private let changes = Atomic<UInt64>(0)
    private let waitingChanges = Atomic<Int>(0)
    private let timesSetAside = Atomic<Int>(0)
    private let timesWordsWereRemoved = Atomic<Int>(0)
    private let isSuspect = Atomic<Bool>(false)
    /// SQLite's message about the newest damage.
    private let lastProblem = Mutex("found damaged by an earlier run")
    private let knownCopies = Mutex<[DamagedCopy]>([])
    /// How all connections access the file; the first connection determines it.
    private let access = Mutex(Database.Access.change)
    private static let log = LogLimiter("damaged rows of places", lines: 1, interval: 60_000_000_000)
    /// Mode of the folder; nil for a store in memory.
    private let folderMode: mode_t?

    /// Names a file in the state directory; opens nothing.
    package init(directory: String, name: String) {
        path = directory + "/" + name
        folderMode = 0o700
    }

    /// Names a store in memory, which ends with its last connection.
    package init() {
        // The name is unique, because connections to the same name share their content.
        let number = Self.inMemory.add(1, ordering: .relaxed).newValue
        path = "file:/waymark-places-\(number)?vfs=memdb"
        folderMode = nil
    }

    private static let inMemory = Atomic<Int>(0)

    /// Counter that grows with every change of places, favourites, filters and anchors.
    package var revision: UInt64 { changes.load(ordering: .acquiring) }

    package func noteChange() { changes.add(1, ordering: .acquiringAndReleasing) }

    // MARK: opening

    /// Opens the first connection; creates a missing file, and moves a damaged one aside. A file that cannot be changed
    /// is opened read-only.
    package func open() throws(DatabaseError) -> Database {
        guard let folderMode else { return try connect() }
        if let obstacle {
            let database = try openReadOnly(obstacle)
            Log.warning("\(path): \(obstacle): places are found, and cannot be changed")
            return database
        }
        access.withLock { $0 = .change }
        File.makeDirectory(of: path, mode: folderMode)
        try setEmptyFileAside()
        // Favourites are private. SQLite gives its log files the same mode.
        _ = try? File.createNew(path, mode: 0o600)
        do {
            return try connect(checking: true)
        } catch {
            guard error.meansDamage, setAside(error) else { throw error }
            _ = try? File.createNew(path, mode: 0o600)
            return try connect()
        }
    }

    /// Reason why an existing file cannot be changed. SQLite's log is next to the file, so the folder must be writable
    /// too.
    private var obstacle: String? {
        guard folderMode != nil, (try? File.status(of: path)) != nil else { return nil }
        for path in [path, File.directory(of: path)] {
            guard let refusal = File.refusalOfChanges(path) else { continue }
            return refusal.code == EROFS ? Self.readOnlyDisk : "\(path) cannot be written (\(refusal))"
        }
        // A file system that has had an error may refuse to open a file that it still reports as writable.
        return (try? Database(path: path))?.isReadOnly == true ? Self.readOnlyDisk : nil
    }

    private static let readOnlyDisk = "the disk is read-only"

    /// Opens a file read-only. A log that a loss of power has left behind is read too, unless SQLite would have to
    /// write for it.
    private func openReadOnly(_ obstacle: String) throws(DatabaseError) -> Database {
        let hasLog = (try? File.status(of: path + "-wal"))?.size ?? 0 > 0
        if hasLog {
            access.withLock { $0 = .read(because: obstacle) }
            do {
                return try connect(checking: true)
            } catch {
                guard [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code) else { throw error }
            }
        }
        access.withLock { $0 = .readUnchanging(because: obstacle) }
        let database = try connect(checking: true)
        if hasLog { Log.warning("\(path): the newest changes are in its log, which cannot be read here, and missing") }
        return database
    }

    private var isReadOnly: Bool {
        if case .change = access.withLock({ $0 }) { false } else { true }
    }

    /// Moves an empty file aside, or a log whose file is missing, because SQLite would take either for a new database.
    private func setEmptyFileAside() throws(DatabaseError) {
        func size(_ path: String) -> Int64? { try? File.status(of: path).size }
        let isEmpty = size(path) == 0
        guard isEmpty || (size(path) == nil && size(path + "-wal") ?? 0 > 0) else { return }
        _ = try? File.createNew(path, mode: 0o600)
        _ = setAside(
            .damage(path, isEmpty ? "the file is empty" : "the file is missing, and its log is there"))
    }

    /// Recovers the rows of the newest damaged copy into a store that has just been opened, unless they have been
    /// recovered before.
    package func recover(into store: PlaceStore) {
        guard folderMode != nil else { return }
        defer { knownCopies.withLock { $0 = copies.all } }
        guard !store.isReadOnly, let number = copies.pending else { return }
        let damaged = copies.path(number)
        do {
            let problem = lastProblem.withLock { $0 }
            let report = try PlaceSalvage.run(damaged, into: store, problem: problem)
            try copies.note(number).write(report)
            Log.write(report.isComplete ? .notice : .error, "\(damaged): \(report)")
            noteChange()
        } catch {
            // Without a note, the recovery is repeated at the next start.
            Log.error("\(damaged): its rows could not be recovered: \(error)")
        }
        copies.removeSurplus()
    }

    private var copies: DamagedCopies { DamagedCopies(path: path) }

    /// Damaged databases beside this one, the oldest first, as found when this one was opened; reading this property
    /// does not access the disk.
    package var damagedCopies: [DamagedCopy] { knownCopies.withLock { $0 } }

    /// Removes from `damagedCopies` those that have been deleted since. To be called on the thread that opens the file.
    package func forgetDeletedCopies() {
        let present = damagedCopies.filter { (try? File.status(of: $0.path)) != nil }
        knownCopies.withLock { $0 = present }
    }

    /// Opens another connection to an open file.
    package func openAnother() throws(DatabaseError) -> Database { try connect() }

    private func connect(checking: Bool = false) throws(DatabaseError) -> Database {
        let database = try Database(path: path, access: access.withLock { $0 })
        try PlaceSchema.defineFunctions(database)
        try database.run("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096; PRAGMA cell_size_check = ON")
        if !database.isReadOnly {
            // FULL is needed, because with NORMAL a loss of power may lose the last commits of a write-ahead log.
            try database.run(
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 8388608;
                PRAGMA secure_delete = OFF;
                """)
        }
        try PlaceSchema.bringUpToDate(database)
        if checking { try check(database) }
        return database
    }

    /// Checks the file if it is small, so that damage is found at the start, before the store is needed; a larger file
    /// is checked only after a statement has found damage in it. If a statement has found damage but this check finds
    /// none, the indexes are rebuilt from the places.
    private func check(_ database: Database) throws(DatabaseError) {
        if !database.isReadOnly { try checkSchema(database) }
        let isSuspect = isSuspect.exchange(false, ordering: .acquiringAndReleasing)
        let size = try? File.status(of: path).size
        guard isSuspect || size.map({ $0 <= Self.maximumCheckedSize }) == true else { return }
        let statement = try database.prepare("PRAGMA quick_check(1)")
        guard try statement.step() else { return }
        let answer = statement.text(0)
        statement.reset()
        guard answer == "ok" || database.isReadOnly else { throw .damage(path, answer) }
        // A damaged file cannot be moved on a read-only disk, so its readable part is used.
        guard !database.isReadOnly else {
            if answer != "ok" { Log.error("\(path) is damaged, places may be missing: \(answer)") }
            return
        }
        let rows = try ProtectedTable.damagedRows(database)
        guard rows == 0 else { throw .damage(path, "\(rows) rows have a wrong checksum") }
        guard isSuspect else { return }
        try PlaceSchema.rebuildIndexes(database)
        noteRemovedWords()
        Log.warning("\(path): the indexes of the place database were damaged and have been rebuilt")
    }

    /// Prepares statements that use all tables as a check, because SQLite reports a damaged or missing table, index,
    /// trigger or view as an error of a statement that uses it.
    private func checkSchema(_ database: Database) throws(DatabaseError) {
        do throws(DatabaseError) {
            _ = try PlaceStore.Statements(database)
            for (columns, table) in PlaceSchema.usedColumns {
                _ = try database.prepare("SELECT \(columns) FROM \(table)")
            }
        } catch {
            throw error.code == SQLITE_ERROR ? .damage(path, error.message) : error
        }
    }

    /// Records that a statement has found damage, so that the file is reopened and checked before the next job.
    package func noteDamage() {
        guard isReadOnly else { return isSuspect.store(true, ordering: .releasing) }
        Self.log.write(.error, "\(path): damaged places are left out; they stay in the file until the disk is writable")
    }

    /// Whether the file has to be reopened, either for a check or because it has become writable.
    package var mustBeReopened: Bool {
        isSuspect.load(ordering: .acquiring) || (isReadOnly && obstacle == nil)
    }

    /// Counter that grows when the file is set aside. Earlier connections then work on an obsolete file.
    package var generation: Int { timesSetAside.load(ordering: .acquiring) }

    /// Maximum size of a file that is checked at each start. The check then takes about a second on a slow card. Unit:
    /// bytes.
    private static let maximumCheckedSize: Int64 = 64 << 20

    /// Moves a damaged file aside, with its log; returns false if it cannot be moved.
    package func setAside(_ problem: DatabaseError) -> Bool {
        guard folderMode != nil else { return false }
        do throws(FileError) {
            let number = try copies.add()
            lastProblem.withLock { $0 = problem.message }
            Log.error("\(path) is damaged and was moved to \(copies.path(number)): \(problem.message)")
            timesSetAside.add(1, ordering: .acquiringAndReleasing)
            noteChange()
            return true
        } catch {
            Log.error("\(path) is damaged and cannot be moved away (\(error)): \(problem.message)")
            return false
        }
    }

    /// Counter that grows when words are removed from the table of words. Each connection's cache of that table is then
    /// invalid. To be read within a transaction, because only one transaction runs at a time.
    var wordGeneration: Int { timesWordsWereRemoved.load(ordering: .acquiring) }

    func noteRemovedWords() { timesWordsWereRemoved.add(1, ordering: .acquiringAndReleasing) }

    // MARK: taking turns

    /// Runs a change that a client waits for; a long import yields to it between two batches.
    package func inTurn<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        waitingChanges.add(1, ordering: .acquiringAndReleasing)
        defer { waitingChanges.subtract(1, ordering: .acquiringAndReleasing) }
        return try body()
    }

    /// Waits, between two batches of an import, until no other change is waiting, but no longer than about a second.
    package func giveWay() {
        var rest = Self.maximumPauseCount
        while rest > 0, waitingChanges.load(ordering: .acquiring) > 0 {
            usleep(500)
            rest -= 1
        }
    }

    /// Maximum number of pauses of half a millisecond.
    private static let maximumPauseCount = 2000
}
