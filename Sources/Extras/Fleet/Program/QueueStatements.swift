import SQLite

/// The queue's statements, prepared once.
struct QueueStatements {
    /// A row of the table of messages.
    struct Row {
        let id: Int64
        let topic: Int64
        let sequence: Int64
        let time: Int64
        let boot: Int64
        let body: [UInt8]
    }

    private let insertion: Statement
    private let selection: Statement
    private let measurement: Statement
    private let removal: Statement
    private let oldest: Statement
    private let counting: Statement
    private let ownerChange: Statement
    private let clockChange: Statement
    private let bootAddition: Statement
    private let bootSelection: Statement
    private let clockSelection: Statement

    init(_ database: Database) throws(DatabaseError) {
        insertion = try database.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)")
        selection = try database.prepare(
            "SELECT id, topic, sequence, time, boot, body FROM message WHERE id > ? ORDER BY id LIMIT ?")
        measurement = try database.prepare("SELECT topic, length(body) FROM message WHERE id = ?")
        removal = try database.prepare("DELETE FROM message WHERE id = ?")
        oldest = try database.prepare("SELECT id FROM message WHERE id > ? AND topic <> 1 ORDER BY id LIMIT 1")
        counting = try database.prepare(
            """
            UPDATE counters SET id = ?, pose = ?, event = ?, own_tracks = ?, dropped_poses = ?, lost_events = ?,
                cursor = ?, cursor_boot = ?
            """)
        ownerChange = try database.prepare("UPDATE counters SET owner = ? WHERE owner <> ? RETURNING 1")
        clockChange = try database.prepare("UPDATE boot SET clock_offset = ?, clock_quality = ? WHERE number = ?")
        bootAddition = try database.prepare(
            "INSERT OR IGNORE INTO boot (identifier, clock_offset, clock_quality) VALUES (?, ?, ?)")
        bootSelection = try database.prepare("SELECT number FROM boot WHERE identifier = ?")
        clockSelection = try database.prepare("SELECT number, clock_offset, clock_quality FROM boot")
        // Removes boots without waiting messages, except the boot of the cursor, whose number a later boot must not
        // get.
        try database.run(
            """
            DELETE FROM boot WHERE number NOT IN (SELECT boot FROM message)
                AND number IS NOT (SELECT cursor_boot FROM counters)
            """)
    }

    func insert(_ row: Row) throws(DatabaseError) {
        try insertion.run(
            .integer(row.id), .integer(row.topic), .integer(row.sequence), .integer(row.time), .integer(row.boot),
            .blob(row.body))
    }

    func entries(after id: Int64, count: Int) throws(DatabaseError) -> [Row] {
        try selection.bind(.integer(id), .integer(Int64(count)))
        var rows: [Row] = []
        while try selection.step() {
            rows.append(
                Row(
                    id: selection.integer(0), topic: selection.integer(1), sequence: selection.integer(2),
                    time: selection.integer(3), boot: selection.integer(4), body: selection.blob(5)))
        }
        return rows
    }

    /// Removes a message; returns its topic and the length of its body, nil if there was no such message.
    func remove(_ id: Int64) throws(DatabaseError) -> (topic: Int64, length: Int)? {
        try measurement.bind(.integer(id))
        guard try measurement.step() else { return nil }
        let found = (topic: measurement.integer(0), length: Int(measurement.integer(1)))
        measurement.reset()
        try removal.run(.integer(id))
        return found
    }

    /// Returns the oldest message that comes after a given one and is not an event.
    func oldestDroppable(after id: Int64) throws(DatabaseError) -> Int64? {
        try oldest.bind(.integer(id))
        defer { oldest.reset() }
        return try oldest.step() ? oldest.integer(0) : nil
    }

    func save(_ counters: QueueCounters) throws(DatabaseError) {
        func optional(_ number: Int64?) -> Statement.Value { number.map { .integer($0) } ?? .none }
        try counting.run(
            .integer(counters.id), .integer(counters.sequences[0]), .integer(counters.sequences[1]),
            .integer(counters.sequences[2]), .integer(counters.droppedPoses), .integer(counters.lostEvents),
            optional(counters.cursor), optional(counters.cursorBoot))
    }

    /// Stores the owner of the messages; returns whether the owner was another one before.
    func replaceOwner(by owner: String) throws(DatabaseError) -> Bool {
        try ownerChange.bind(.text(owner), .text(owner))
        defer { ownerChange.reset() }
        return try ownerChange.step()
    }

    // MARK: - Boots

    /// Returns the number of a boot, which is added if it is new.
    func boot(identifier: String, clock: ClockReading) throws(DatabaseError) -> Int64 {
        try bootAddition.run(.text(identifier), .integer(clock.offset), .integer(clock.quality.rawValue))
        try bootSelection.bind(.text(identifier))
        defer { bootSelection.reset() }
        return try bootSelection.step() ? bootSelection.integer(0) : 0
    }

    func setClock(_ clock: ClockReading, of boot: Int64) throws(DatabaseError) {
        try clockChange.run(.integer(clock.offset), .integer(clock.quality.rawValue), .integer(boot))
    }

    func clocks() throws(DatabaseError) -> [Int64: ClockReading] {
        var clocks: [Int64: ClockReading] = [:]
        try clockSelection.bind()
        while try clockSelection.step() {
            let quality = ClockReading.Quality(rawValue: clockSelection.integer(2)) ?? .unsynchronized
            clocks[clockSelection.integer(0)] = ClockReading(offset: clockSelection.integer(1), quality: quality)
        }
        return clocks
    }
}
