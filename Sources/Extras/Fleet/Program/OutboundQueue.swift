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
        /// Whether that was an earlier run.
        package let isOfEarlierRun: Bool
        package let body: [UInt8]
    }

    /// Why the queue cannot be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        init(_ error: DatabaseError) {
            description = "\(error.path): \(error.reason(directory: "mqtt.directory", user: "waymark-mqtt"))"
        }

        init(_ description: String) { self.description = description }
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
    /// Whether the file has turned out to be damaged. It is of no use any more: the next start puts it aside.
    package private(set) var isDamaged = false

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
    ///   - owner: whose messages these are, and how private: what waits of another owner is removed, since it must not
    ///     be published as this one's.
    ///   - bootIdentifier: of this run of the computer.
    ///   - clock: the clock as it is known now.
    ///   - now: CLOCK_BOOTTIME, from which on events are wanted where none is known of this run. Unit: ns.
    package init(
        folder: String, limit: Int, owner: String, bootIdentifier: String, clock: ClockReading, now: Int64
    ) throws(Problem) {
        // Without it the times of two runs of the computer could not be distinguished.
        guard !bootIdentifier.isEmpty else {
            throw Problem("/proc/sys/kernel/random/boot_id cannot be read, by which runs of the computer are known")
        }
        self.limit = limit
        reserve = QueueReserve(path: folder + "/reserve", limit: limit)
        // First, so that a full disk has something to give.
        reserve.take()
        let path = folder + "/queue.sqlite"
        var parts: QueueFile
        do throws(DatabaseError) {
            if let error = QueueFile.emptyFile(path) { throw error }
            parts = try QueueFile(path, bootIdentifier: bootIdentifier, clock: clock)
        } catch {
            parts = try Self.recovered(path, from: error, &reserve, bootIdentifier, clock)
        }
        (database, statements, counters) = (parts.database, parts.statements, parts.counters)
        (boot, clocks) = (parts.boot, parts.clocks)
        begin(owner: owner, now: now)
        setClock(clock)
    }

    /// Second attempt to open the file: with the space of the reserve, or with a new file in place of a damaged one.
    private static func recovered(
        _ path: String, from error: DatabaseError, _ reserve: inout QueueReserve, _ bootIdentifier: String,
        _ clock: ClockReading
    ) throws(Problem) -> QueueFile {
        guard error.meansDamage || error.meansFullDisk else { throw Problem(error) }
        if error.meansFullDisk {
            reserve.release()
        } else {
            QueueFile.putAside(path, error)
        }
        do throws(DatabaseError) {
            var parts = try QueueFile(path, bootIdentifier: bootIdentifier, clock: clock)
            // Readers know higher numbers than those of a new file: milliseconds since 1970 are above them all.
            if error.meansDamage {
                parts.counters.continueSequences(from: clock.utc(BootClock.nanoseconds) / 1_000_000)
            }
            return parts
        } catch {
            throw Problem(error)
        }
    }

    private func begin(owner: String, now: Int64) {
        _ = store { () throws(DatabaseError) in
            let isOfOther = try statements.replaceOwner(by: owner)
            // A file that is new, in place of one that was put aside just now, has had no message.
            if isOfOther, counters.id > 0 { QueueFile.removeDamaged(database.path) }
            if isOfOther, counters.poses + counters.events > 0 {
                Log.notice("what waits is of other settings of privacy, or of another wearer, and is removed")
                for entry in try statements.entries(after: 0, count: .max) {
                    if entry.topic == Topic.event.rawValue {
                        counters.lostEvents += 1
                    } else {
                        counters.droppedPoses += 1
                    }
                    try remove(entry.id)
                }
            }
            guard counters.cursorBoot != boot else { return }
            (counters.cursor, counters.cursorBoot) = (now / 1000, boot)
        }
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

    /// Number of the daemon's event that was taken last in this run of the computer: microseconds of its time, or of
    /// the program's first start in this run.
    package var cursor: Int64? {
        counters.cursorBoot == boot ? unsaved.last { $0.cursor != nil }?.cursor ?? counters.cursor : nil
    }

    // MARK: - In

    /// Adds a pose; drops the oldest ones where there is no room, and this one where the disk has none.
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

    /// An event of the daemon was taken that is not published; it is not asked for again.
    package func skipEvent(cursor: Int64) {
        guard unsaved.isEmpty else { return }
        (counters.cursor, counters.cursorBoot) = (cursor, boot)
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
                    clock: clocks[row.boot] ?? clock, isOfEarlierRun: row.boot != boot, body: row.body)
            }.filter { !acknowledged.contains($0.id) }
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
        // Some pages of a damaged file can still be written.
        guard !isDamaged else { return true }
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
        isDamaged = isDamaged || error.meansDamage
        let text = Problem(error).description
        if problem != text { Log.error("the queue cannot be written: \(text)") }
        problem = text
    }
}
