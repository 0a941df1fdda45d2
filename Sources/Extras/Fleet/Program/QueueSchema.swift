import SQLite

enum QueueSchema {
    /// Application ID in the file's header, which distinguishes a queue from other databases: "WmQ1".
    private static let application: Int64 = 0x576D_5131
    private static let version: Int64 = 1

    /// Prepares a connection, and creates the tables in a new file.
    ///
    /// Only one process opens the file. The exclusive lock makes a shared index of the write-ahead log unnecessary, and
    /// keeps a second bridge from sending everything twice.
    static func prepare(_ database: Database) throws(DatabaseError) {
        // Pages are small, because a message changes two or three of them, and each is written to a memory card.
        try database.run("PRAGMA page_size = 1024")
        try database.run("PRAGMA locking_mode = EXCLUSIVE")
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA wal_autocheckpoint = 512")
        try database.run("PRAGMA cache_size = -256")
        try database.run("PRAGMA temp_store = MEMORY")
        let application = try database.number("PRAGMA application_id")
        if application == 0, try database.number("SELECT count(*) FROM sqlite_master") == 0 {
            try database.transaction { () throws(DatabaseError) in try database.run(tables) }
        } else if application != Self.application {
            throw DatabaseError(path: database.path, message: "the file is no queue of waymark-mqtt", code: notOurs)
        } else if try database.number("PRAGMA user_version") != version {
            throw DatabaseError(
                path: database.path,
                message: "the queue is of another version of waymark-mqtt: let that one send it, or remove the file",
                code: notOurs)
        }
    }

    /// SQLITE_MISMATCH, which here means a file that is not a queue. It means neither damage nor a lack of room.
    private static let notOurs: Int32 = 20

    private static let tables = """
        PRAGMA application_id = \(application);
        PRAGMA user_version = \(version);
        CREATE TABLE boot (
            number INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            clock_offset INTEGER NOT NULL,
            clock_quality INTEGER NOT NULL
        );
        CREATE TABLE message (
            id INTEGER PRIMARY KEY,
            topic INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            time INTEGER NOT NULL,
            boot INTEGER NOT NULL,
            body BLOB NOT NULL
        );
        CREATE TABLE counters (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            id INTEGER NOT NULL,
            pose INTEGER NOT NULL,
            event INTEGER NOT NULL,
            own_tracks INTEGER NOT NULL,
            dropped_poses INTEGER NOT NULL,
            lost_events INTEGER NOT NULL,
            cursor INTEGER,
            cursor_boot INTEGER,
            owner TEXT NOT NULL
        );
        INSERT INTO counters VALUES (1, 0, 0, 0, 0, 0, 0, NULL, NULL, '');
        """
}
