import Linux
import SQLite

/// Queue on disk of the messages that the broker has not acknowledged, in the order of their creation. Added messages
/// survive the end of the process at any time, and events survive even a loss of power.
///
/// If there is no room within the limit or on the disk, the oldest poses are dropped and counted; events are kept. The
/// queue is to be used by one thread.
package final class OutboundQueue {
    package enum Topic: Int64, CaseIterable, Sendable {
        case pose, event, ownTracks

        /// Whether a message may be dropped to make room.
        var isDroppable: Bool { self != .event }
    }

    package struct Entry: Hashable, Sendable {
        /// Position in the queue, which increases and is never reused.
        package let id: Int64
        package let topic: Topic
        /// Number within its topic, from 1.
        package let sequence: Int64
        /// Time at which the message was made: CLOCK_BOOTTIME of the boot in which it was made. Unit: ns.
        package let time: Int64
        /// Clock of the boot in which the message was made.
        package let clock: ClockReading
        /// Whether the message was made in an earlier boot.
        package let isOfEarlierRun: Bool
        package let body: [UInt8]
    }

    /// Reason why the queue cannot be used.
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
    /// Acknowledged messages that are still in the file; they are removed with its next change.
    private var acknowledged: [Int64] = []
    /// Events for which there was no room.
    private var unsaved: [(time: Int64, body: [UInt8], cursor: Int64?)] = []
    private var waitsForDisk: Bool?
    /// Reason why the last message could not be stored; nil if it was stored.
    package private(set) var problem: String?
    /// Whether the file has turned out to be damaged. It is then unusable, and the next start moves it aside.
    package private(set) var isDamaged = false

    /// Position of the last message that was sent; messages up to it are no longer dropped.
    package var sentUpTo: Int64 = 0

    /// Size of a message in the file, without its body. Unit: bytes.
    static let overhead = 64
    /// When room is needed, at least the limit divided by this number is freed in one step.
    private static let portion = 64
    /// Maximum number of events that wait in memory for room on the disk.
    private static let maximumUnsavedCount = 1000

    /// Opens or creates the queue in a folder. A damaged queue is moved aside.
    ///
    /// - Parameters:
    ///   - limit: maximum size of all messages together. Unit: bytes.
    ///   - owner: wearer and privacy settings of these messages. Waiting messages of another owner are removed, because
    ///     they must not be published as this owner's.
    ///   - now: CLOCK_BOOTTIME from which events are requested if no event of this boot has been processed yet. Unit:
    ///     ns.
    package init(
        folder: String, limit: Int, owner: String, bootIdentifier: String, clock: ClockReading, now: Int64
    ) throws(Problem) {
        // Without the boot's identifier, the times of two boots could not be distinguished.
        guard !bootIdentifier.isEmpty else {
            throw Problem("/proc/sys/kernel/random/boot_id cannot be read, by which runs of the computer are known")
        }
        self.limit = limit
        reserve = QueueReserve(path: folder + "/reserve", limit: limit)
        // The reserve is made first, so that space can be freed when the disk is full.
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

    /// Tries once more to open the file, with the space of the reserve, or with a new file in place of a damaged one.
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
            // Readers know higher sequence numbers than those of a new file. The milliseconds since 1970 exceed all
            // numbers used so far.
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
            // The owner of a new file counts as changed, too. If the file is new because a damaged one was just moved
            // aside, it has had no message yet, and the damaged file is kept.
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

    /// Numbers of waiting, dropped and lost messages, and size of those that wait.
    package var counts: HealthMessage.Counts {
        var counts = HealthMessage.Counts()
        counts.poses = counters.poses
        counts.events = counters.events + unsaved.count
        counts.bytes = counters.bytes
        counts.droppedPoses = counters.droppedPoses
        counts.lostEvents = counters.lostEvents
        return counts
    }

    /// Number of the daemon's last event that was processed in this boot, which is the event's time in microseconds. If
    /// there was none, the time of the program's first start in this boot.
    package var cursor: Int64? {
        counters.cursorBoot == boot ? unsaved.last { $0.cursor != nil }?.cursor ?? counters.cursor : nil
    }

    // MARK: - Input

    /// Adds a pose. If the limit is reached, the oldest poses are dropped. If the disk remains full, this pose is
    /// dropped.
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
    /// - Parameter cursor: the daemon's number of the event; nil if it has none.
    package func addEvent(time: Int64, body: [UInt8], cursor: Int64?) {
        unsaved.append((time, body, cursor))
        save()
    }

    /// Records an event of the daemon that is not published, so that it is not requested again.
    package func skipEvent(cursor: Int64) {
        guard unsaved.isEmpty else { return }
        (counters.cursor, counters.cursorBoot) = (cursor, boot)
    }

    /// Adopts a better reading of the clock.
    package func setClock(_ clock: ClockReading) {
        guard let present = clocks[boot], present.isImproved(by: clock) else { return }
        clocks[boot] = clock
        _ = store { () throws(DatabaseError) in try statements.setClock(clock, of: boot) }
    }

    // MARK: - Output

    /// The clock of this boot, as currently known.
    package var clock: ClockReading { clocks[boot] ?? ClockReading(offset: 0, quality: .unsynchronized) }

    /// Returns up to `count` of the oldest messages after a given one.
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

    /// Marks a message as received by the broker. It is removed from the file with the next change, or with `flush()`.
    package func acknowledge(_ id: Int64) { acknowledged.append(id) }

    /// Number of acknowledged messages that are still in the file.
    package var unremoved: Int { acknowledged.count }

    /// Writes changes that are only in memory.
    package func flush() {
        guard !acknowledged.isEmpty || !unsaved.isEmpty else { return }
        save()
        if problem == nil { reserve.take() }
    }

    // MARK: - Transactions

    /// Makes a change of the file as a whole or not at all. If the disk is full, frees space and tries once more.
    /// Returns whether the file was changed.
    private func store(_ change: () throws(DatabaseError) -> Void) -> Bool {
        do throws(DatabaseError) {
            try transact(change)
        } catch {
            guard error.meansFullDisk, retry(change) else {
                report(error)
                return false
            }
        }
        // Some pages of a damaged file can still be written, so a success does not mean that the file is intact.
        guard !isDamaged else { return true }
        if problem != nil { Log.notice("the queue can be written again") }
        problem = nil
        return true
    }

    /// Writes the events that wait in memory. If that fails and there are too many, the oldest event is lost.
    private func save() {
        let isStored = store { () throws(DatabaseError) in try saveUnsaved() }
        guard !isStored, unsaved.count > Self.maximumUnsavedCount else { return }
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

    /// Sets whether a transaction is durable as soon as it is committed. Otherwise it becomes durable with the next
    /// durable transaction, or with the next checkpoint, which suffices for poses.
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

    /// Drops the oldest unsent poses until this number of bytes is free.
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
