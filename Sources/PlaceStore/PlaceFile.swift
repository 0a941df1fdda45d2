import CSQLite
import Glibc
import Linux
import Synchronization

/// The database file of the places, and what its connections on several threads share.
package final class PlaceFile: Sendable {
    package let path: String
    private let changes = Atomic<UInt64>(0)
    private let askingForTurn = Atomic<Int>(0)
    private let timesSetAside = Atomic<Int>(0)
    private let isSuspect = Atomic<Bool>(false)
    /// Nil for one in memory.
    private let folderMode: mode_t?

    /// A file of this name in the state directory.
    package init(directory: String, name: String) {
        path = directory + "/" + name
        folderMode = 0o750
    }

    /// Makes a store in memory, which ends with its last connection.
    package init() {
        // A name of its own: connections to the same name share what is in it.
        let number = Self.inMemory.add(1, ordering: .relaxed).newValue
        path = "file:/waymark-places-\(number)?vfs=memdb"
        folderMode = nil
    }

    private static let inMemory = Atomic<Int>(0)

    /// Grows with every change of places, favourites and what else is kept.
    package var revision: UInt64 { changes.load(ordering: .acquiring) }

    package func noteChange() { changes.add(1, ordering: .acquiringAndReleasing) }

    // MARK: opening

    /// A connection; the file is made where there is none, and a broken one is set aside.
    package func open() throws(DatabaseError) -> Database {
        guard let folderMode else { return try connect() }
        File.makeDirectory(of: path, mode: folderMode)
        // It shows what the wearer likes, which is private. SQLite gives the files beside it the same mode.
        _ = try? File.createNew(path, mode: 0o600)
        do {
            return try connect(checking: true)
        } catch {
            guard error.meansDamage, setAside(error) else { throw error }
            _ = try? File.createNew(path, mode: 0o600)
            return try connect()
        }
    }

    /// Opens one more connection to a file that is open.
    package func openAnother() throws(DatabaseError) -> Database { try connect() }

    private func connect(checking: Bool = false) throws(DatabaseError) -> Database {
        let database = try Database(path: path)
        // FULL: in the log mode NORMAL may lose what was committed last when the power goes.
        try database.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 8388608;
            PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096; PRAGMA secure_delete = OFF;
            PRAGMA cell_size_check = ON;
            """)
        try PlaceSchema.bringUpToDate(database)
        if checking { try check(database) }
        return database
    }

    /// Looks through a file that is small enough to, for a broken one is better known of now than in the street, and through
    /// any that gave reason to; what finds places is built anew then from the places themselves.
    private func check(_ database: Database) throws(DatabaseError) {
        let isSuspect = isSuspect.exchange(false, ordering: .acquiringAndReleasing)
        let size = try? File.status(of: path).size
        guard isSuspect || size.map({ $0 <= Self.mostChecked }) == true else { return }
        let statement = try database.prepare("PRAGMA quick_check(1)")
        guard try statement.step() else { return }
        let answer = statement.text(0)
        statement.reset()
        guard answer == "ok" else { throw DatabaseError(path: path, message: answer, code: SQLITE_CORRUPT) }
        guard isSuspect else { return }
        try PlaceSchema.rebuildIndexes(database)
        Log.warning("\(path): the indexes of the place database were damaged and have been rebuilt")
    }

    /// Notes damage that a statement found: the file is checked when it is next opened.
    package func noteDamage() { isSuspect.store(true, ordering: .releasing) }

    /// Counter that grows when the file is set aside: an earlier connection works on a file that is no longer used.
    package var generation: Int { timesSetAside.load(ordering: .acquiring) }

    /// Size up to which a file is checked; takes about a second on a slow card. Unit: bytes.
    private static let mostChecked: Int64 = 64 << 20

    /// Path to which a file that cannot be read is moved, for later inspection.
    package var damagedPath: String { path + ".damaged" }

    /// Takes a broken file out of the way, with its log; false when it cannot be.
    package func setAside(_ problem: DatabaseError) -> Bool {
        guard folderMode != nil else { return false }
        do throws(FileError) {
            try File.rename(path, to: damagedPath)
            // Its log goes with it: a new file would take it for its own.
            for part in ["-wal", "-shm"] { try? File.rename(path + part, to: damagedPath + part) }
            Log.error(
                "\(path) is damaged and was moved to \(damagedPath); starting without places: \(problem.message)")
            timesSetAside.add(1, ordering: .acquiringAndReleasing)
            noteChange()
            return true
        } catch {
            Log.error("\(path) is damaged and cannot be moved away (\(error)): \(problem.message)")
            return false
        }
    }

    // MARK: taking turns

    /// Runs a change that a client waits for; a long import lets it through between two of its batches.
    package func inTurn<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        askingForTurn.add(1, ordering: .acquiringAndReleasing)
        defer { askingForTurn.subtract(1, ordering: .acquiringAndReleasing) }
        return try body()
    }

    /// Waits, between two batches, until no other change is waiting.
    package func giveWay() {
        var rest = Self.longestGivingWay
        while rest > 0, askingForTurn.load(ordering: .acquiring) > 0 {
            usleep(500)
            rest -= 1
        }
    }

    /// Half milliseconds.
    private static let longestGivingWay = 2000
}
