import Fleet
import Linux
import SQLite

/// Messages that the broker has not acknowledged, in the order in which they were made, on disk: what is added survives
/// the end of the process at any moment, events the loss of power too.
///
/// Where there is no room, neither within the limit nor on the disk, the oldest poses go, and are counted; events stay.
/// For one thread.
package final class OutboundQueue {
    /// What a message is published on.
    package enum Topic: Int64, CaseIterable, Sendable {
        case pose, event, ownTracks

        /// Whether a message may be dropped to make room.
        var isDroppable: Bool { self != .event }
    }

    /// A message that waits.
    package struct Entry: Hashable, Sendable {
        /// Position in the queue: increases, and is never used again.
        package let id: Int64
        package let topic: Topic
        /// Number among those of its topic, from 1.
        package let sequence: Int64
        /// CLOCK_BOOTTIME of the run of the computer that made it. Unit: ns.
        package let time: Int64
        /// Clock of that run.
        package let clock: ClockReading
        package let body: [UInt8]
    }

    /// Why the queue cannot be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        init(_ error: DatabaseError) {
            description = "\(error.path): \(error.reason(directory: "mqtt.directory", user: "waymark-mqtt"))"
        }
    }

    private let database: Database
    private var reserve: QueueReserve
    private let limit: Int
    private let statements: QueueStatements
    private var counters: QueueCounters
    private let boot: Int64
    private var clocks: [Int64: ClockReading]
    /// Acknowledged, and still in the file: removed with the next change of it.
    private var acknowledged: [Int64] = []
    /// Events for which there was no room.
    private var unsaved: [(time: Int64, body: [UInt8], cursor: Int64?)] = []
    private var waitsForDisk: Bool?
    /// Why the last message could not be stored; nil while all is well.
    package private(set) var problem: String?

    /// Messages up to this one have been sent, and are not dropped any more.
    package var sentUpTo: Int64 = 0

    /// Bytes of a message in the file besides its body.
    static let overhead = 64
    /// Share of the limit that is freed at once.
    private static let portion = 64
    /// The most events that wait in memory for room on the disk.
    private static let mostUnsaved = 1000

    /// Opens the queue in a folder, or makes it. A damaged one is put aside.
    ///
    /// - Parameters:
    ///   - limit: size of all messages together. Unit: bytes.
    ///   - bootIdentifier: of this run of the computer.
    ///   - clock: the clock as it is known now.
    package init(
        folder: String, limit: Int, bootIdentifier: String, clock: ClockReading
    ) throws(Problem) {
        self.limit = limit
        let path = folder + "/queue.sqlite"
        do throws(DatabaseError) {
            database = try Self.open(path)
            statements = try QueueStatements(database)
            counters = try QueueCounters(database)
            boot = try statements.boot(identifier: bootIdentifier, clock: clock)
            clocks = try statements.clocks()
        } catch {
            throw Problem(error)
        }
        reserve = QueueReserve(path: folder + "/reserve")
        reserve.take()
        setClock(clock)
    }

    /// Number of messages and their size.
    package var counts: HealthMessage.Counts {
        var counts = HealthMessage.Counts()
        counts.poses = counters.poses
        counts.events = counters.events + unsaved.count
        counts.bytes = counters.bytes
        counts.droppedPoses = counters.droppedPoses
        counts.lostEvents = counters.lostEvents
        return counts
    }

    /// Number of the daemon's event that was added last in this run of the computer; nil without any.
    package var cursor: Int64? { counters.cursorBoot == boot ? counters.cursor : nil }

    // MARK: - In

    /// Adds a pose; drops the oldest ones, or this one, where there is no room.
    package func add(_ topic: Topic, time: Int64, body: [UInt8]) {
        precondition(topic.isDroppable, "events are added as such")
        let isStored = store { () throws(DatabaseError) in
            try saveUnsaved()
            try insert(topic, time, body)
        }
        if !isStored { counters.droppedPoses += 1 }
    }

    /// Adds an event.
    ///
    /// - Parameter cursor: the daemon's number of the event; nil where it has none.
    package func addEvent(time: Int64, body: [UInt8], cursor: Int64?) {
        unsaved.append((time, body, cursor))
        save()
    }

    /// The clock is known better.
    package func setClock(_ clock: ClockReading) {
        guard let present = clocks[boot], present.isImproved(by: clock) else { return }
        clocks[boot] = clock
        _ = store { () throws(DatabaseError) in try statements.setClock(clock, of: boot) }
    }

    // MARK: - Out

    /// The clock of this run of the computer, as it is known.
    package var clock: ClockReading { clocks[boot] ?? ClockReading(offset: 0, quality: .unsynchronized) }

    /// The oldest messages after one, at most `count`.
    package func entries(after id: Int64, count: Int) -> [Entry] {
        do throws(DatabaseError) {
            return try statements.entries(after: id, count: count).map { row in
                Entry(
                    id: row.id, topic: Topic(rawValue: row.topic) ?? .pose, sequence: row.sequence, time: row.time,
                    clock: clocks[row.boot] ?? clock, body: row.body)
            }
        } catch {
            report(error)
            return []
        }
    }

    /// The broker has a message now. It leaves the file with the next change, or with `flush()`.
    package func acknowledge(_ id: Int64) { acknowledged.append(id) }

    /// Number of messages that were acknowledged and are still in the file.
    package var unremoved: Int { acknowledged.count }

    /// Writes what has changed in memory alone.
    package func flush() {
        guard !acknowledged.isEmpty || !unsaved.isEmpty else { return }
        save()
        if problem == nil { reserve.take() }
    }

    // MARK: - Transactions

    /// Changes the file, all or nothing; once more after making room, where the disk is full. Returns whether it was
    /// changed.
    private func store(_ change: () throws(DatabaseError) -> Void) -> Bool {
        do throws(DatabaseError) {
            try transact(change)
        } catch {
            guard error.meansFullDisk, retry(change) else {
                report(error)
                return false
            }
        }
        if problem != nil { Log.notice("the queue can be written again") }
        problem = nil
        return true
    }

    /// Writes the events that wait in memory; those that cannot be are bounded.
    private func save() {
        let isStored = store { () throws(DatabaseError) in try saveUnsaved() }
        guard !isStored, unsaved.count > Self.mostUnsaved else { return }
        unsaved.removeFirst()
        counters.lostEvents += 1
    }

    private func retry(_ change: () throws(DatabaseError) -> Void) -> Bool {
        reserve.release()
        do throws(DatabaseError) {
            try transact { () throws(DatabaseError) in
                try drop(bytes: limit / Self.portion)
                try change()
            }
            return true
        } catch {
            return false
        }
    }

    private func transact(_ change: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        let (before, events, done) = (counters, unsaved, acknowledged)
        try wait(forDisk: !unsaved.isEmpty)
        do throws(DatabaseError) {
            try database.transaction { () throws(DatabaseError) in
                for id in acknowledged { try remove(id) }
                acknowledged.removeAll(keepingCapacity: true)
                try change()
                try statements.save(counters)
            }
        } catch {
            (counters, unsaved, acknowledged) = (before, events, done)
            throw error
        }
    }

    /// Whether a transaction is to survive a loss of power as soon as it is committed. That of poses is so with the
    /// next one that waits, or with the next checkpoint.
    private func wait(forDisk isNeeded: Bool) throws(DatabaseError) {
        guard waitsForDisk != isNeeded else { return }
        try database.run(isNeeded ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        waitsForDisk = isNeeded
    }

    private func saveUnsaved() throws(DatabaseError) {
        for event in unsaved {
            try insert(.event, event.time, event.body)
            if let cursor = event.cursor { (counters.cursor, counters.cursorBoot) = (cursor, boot) }
        }
        unsaved.removeAll(keepingCapacity: true)
    }

    private func insert(_ topic: Topic, _ time: Int64, _ body: [UInt8]) throws(DatabaseError) {
        let size = body.count + Self.overhead
        if counters.bytes + size > limit { try drop(bytes: max(size, limit / Self.portion)) }
        counters.id += 1
        let sequence = counters.next(topic)
        try statements.insert(
            .init(id: counters.id, topic: topic.rawValue, sequence: sequence, time: time, boot: boot, body: body))
        counters.count(topic, 1, bytes: size)
    }

    private func remove(_ id: Int64) throws(DatabaseError) {
        guard let (topic, length) = try statements.remove(id) else { return }
        counters.count(Topic(rawValue: topic) ?? .pose, -1, bytes: -(length + Self.overhead))
    }

    /// Drops the oldest poses that were not sent, until that number of bytes is free.
    private func drop(bytes: Int) throws(DatabaseError) {
        var freed = 0
        while freed < bytes, let id = try statements.oldestDroppable(after: sentUpTo) {
            let before = counters.bytes
            try remove(id)
            freed += before - counters.bytes
            counters.droppedPoses += 1
        }
    }

    private func report(_ error: DatabaseError) {
        let text = Problem(error).description
        if problem != text { Log.error("the queue cannot be written: \(text)") }
        problem = text
    }

    // MARK: - The file

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        do throws(DatabaseError) {
            return try prepared(path)
        } catch {
            guard error.meansDamage else { throw error }
            let aside = path + ".damaged"
            Log.error("the queue is damaged (\(error.message)); it is kept as \(aside), and a new one begins")
            for suffix in ["", "-wal"] { try? File.rename(path + suffix, to: aside + suffix) }
            return try prepared(path)
        }
    }

    private static func prepared(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(path: path, waitMilliseconds: 1000)
        try QueueSchema.prepare(database)
        return database
    }
}
