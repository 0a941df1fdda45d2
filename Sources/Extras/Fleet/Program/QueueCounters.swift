import SQLite

/// Numbers that the queue continues from run to run, and counts of its content.
struct QueueCounters {
    var id: Int64
    /// Number of the newest message of each topic, in the order of the topics.
    private(set) var sequences: [Int64]
    /// Number of poses dropped to make room, or because the owner of the queue has changed.
    var droppedPoses: Int64
    /// Number of events for which neither disk nor memory had room, or which belonged to another owner of the queue.
    var lostEvents: Int64
    /// Number of the daemon's event that was added last, and the boot of this event.
    var cursor: Int64?
    var cursorBoot: Int64?
    /// Number of waiting poses and events, and their size. Unit: bytes.
    private(set) var poses: Int
    private(set) var events: Int
    private(set) var bytes: Int

    init(_ database: Database) throws(DatabaseError) {
        let row = try database.prepare(
            """
            SELECT id, pose, event, own_tracks, dropped_poses, lost_events, cursor, cursor_boot FROM counters
            """)
        _ = try row.step()
        id = row.integer(0)
        sequences = (1...3).map { row.integer($0) }
        droppedPoses = row.integer(4)
        lostEvents = row.integer(5)
        cursor = row.isNull(6) ? nil : row.integer(6)
        cursorBoot = row.isNull(7) ? nil : row.integer(7)
        row.reset()
        let sums = try database.prepare(
            """
            SELECT count(*), coalesce(sum(topic = 1), 0), coalesce(sum(length(body) + \(OutboundQueue.overhead)), 0)
            FROM message
            """)
        _ = try sums.step()
        events = Int(sums.integer(1))
        poses = Int(sums.integer(0)) - events
        bytes = Int(sums.integer(2))
        sums.reset()
    }

    /// Returns the next number of a topic.
    mutating func next(_ topic: OutboundQueue.Topic) -> Int64 {
        sequences[Int(topic.rawValue)] += 1
        return sequences[Int(topic.rawValue)]
    }

    /// Continues the numbers of all topics from a number that no reader has seen.
    mutating func continueSequences(from number: Int64) {
        sequences = sequences.map { _ in number }
    }

    /// Counts added or removed messages.
    mutating func count(_ topic: OutboundQueue.Topic, _ change: Int, bytes size: Int) {
        if topic == .event { events += change } else { poses += change }
        bytes += size
    }
}
