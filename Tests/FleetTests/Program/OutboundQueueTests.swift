import Fleet
import Glibc
import TestTools
import Testing

@Suite("Outbound queue")
struct OutboundQueueTests {
    private let folder = ScratchFolder()
    private let clock = ClockReading(offset: 1_000_000, quality: .system)

    /// Start of the program, by CLOCK_BOOTTIME. Unit: ns.
    private let start: Int64 = 7_000_000

    private func open(
        limit: Int = 1_000_000, owner: String = "ada", boot: String = "first", clock: ClockReading? = nil
    ) throws -> OutboundQueue {
        try OutboundQueue(
            folder: folder.path, limit: limit, owner: owner, bootIdentifier: boot, clock: clock ?? self.clock,
            now: start)
    }

    private func body(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func all(_ queue: OutboundQueue) -> [OutboundQueue.Entry] { queue.entries(after: 0, count: 100_000) }

    private func texts(_ queue: OutboundQueue) -> [String] {
        all(queue).map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test("Messages leave in the order in which they came")
    func messagesLeaveOrderThey() throws {
        let queue = try open()
        queue.add(.pose, time: 1, body: body("a"))
        queue.addEvent(time: 2, body: body("b"), cursor: nil)
        queue.add(.ownTracks, time: 3, body: body("c"))
        queue.add(.pose, time: 4, body: body("d"))
        #expect(texts(queue) == ["a", "b", "c", "d"])
        #expect(all(queue).map(\.topic) == [.pose, .event, .ownTracks, .pose])
        #expect(all(queue).map(\.time) == [1, 2, 3, 4])
        #expect(queue.counts.poses == 3)
        #expect(queue.counts.events == 1)
    }

    @Test("Each topic numbers its messages across restarts")
    func eachTopicNumbersIts() throws {
        var queue: OutboundQueue? = try open()
        queue?.add(.pose, time: 1, body: body("a"))
        queue?.addEvent(time: 2, body: body("b"), cursor: nil)
        queue?.add(.pose, time: 3, body: body("c"))
        for entry in all(queue!) { queue?.acknowledge(entry.id) }
        queue?.flush()
        queue = nil
        let next = try open()
        next.add(.pose, time: 4, body: body("d"))
        next.addEvent(time: 5, body: body("e"), cursor: nil)
        #expect(all(next).map(\.sequence) == [3, 2])
        #expect(all(next).map(\.id) == [4, 5])
    }

    @Test("What was not acknowledged is there after a restart")
    func wasNotAcknowledgedThere() throws {
        var queue: OutboundQueue? = try open()
        for index in 0..<100 { queue?.add(.pose, time: Int64(index), body: body("\(index)")) }
        for entry in all(queue!).prefix(40) { queue?.acknowledge(entry.id) }
        queue?.flush()
        #expect(queue?.unremoved == 0)
        queue = nil
        let next = try open()
        #expect(texts(next) == (40..<100).map(String.init))
        #expect(next.counts.poses == 60)
    }

    @Test("What is acknowledged and not flushed is removed with the next message")
    func acknowledgedNotFlushedRemoved() throws {
        let queue = try open()
        queue.add(.pose, time: 1, body: body("a"))
        queue.acknowledge(1)
        #expect(queue.counts.poses == 1)
        queue.add(.pose, time: 2, body: body("b"))
        #expect(texts(queue) == ["b"])
        #expect(queue.counts.poses == 1)
    }

    @Test("Beyond the limit the oldest poses are dropped and counted and events stay")
    func beyondLimitOldestPoses() throws {
        let queue = try open(limit: 20_000)
        let filling = String(repeating: "x", count: 100)
        for index in 0..<1000 {
            if index.isMultiple(of: 50) { queue.addEvent(time: 0, body: body("event \(index)"), cursor: nil) }
            queue.add(index.isMultiple(of: 3) ? .ownTracks : .pose, time: Int64(index), body: body(filling))
        }
        let counts = queue.counts
        #expect(counts.events == 20)
        #expect(counts.bytes <= 20_000)
        #expect(counts.bytes > 18_000)
        #expect(counts.droppedPoses == Int64(1000 - counts.poses))
        #expect(counts.lostEvents == 0)
        let poses = all(queue).filter { $0.topic != .event }
        #expect(poses.map(\.time) == Array(Int64(1000 - poses.count)..<1000), "the newest stay")
        #expect(texts(queue).filter { $0.hasPrefix("event") }.count == 20)
    }

    @Test("Events alone may exceed the limit")
    func eventsAloneMayExceed() throws {
        let queue = try open(limit: 5_000)
        for index in 0..<200 { queue.addEvent(time: 0, body: body("event \(index)"), cursor: nil) }
        #expect(texts(queue) == (0..<200).map { "event \($0)" })
        queue.add(.pose, time: 0, body: body("pose"))
        #expect(queue.counts.events == 200)
    }

    @Test("What was sent is not dropped")
    func wasSentNotDropped() throws {
        let queue = try open(limit: 2_000)
        let filling = String(repeating: "x", count: 36)
        for index in 0..<10 { queue.add(.pose, time: Int64(index), body: body(filling)) }
        queue.sentUpTo = 4
        for index in 10..<40 { queue.add(.pose, time: Int64(index), body: body(filling)) }
        #expect(all(queue).prefix(4).map(\.time) == [0, 1, 2, 3])
        #expect(queue.counts.droppedPoses > 0)
    }

    @Test("Counts of dropped poses survive a restart")
    func countsDroppedPosesSurvive() throws {
        var queue: OutboundQueue? = try open(limit: 2_000)
        for index in 0..<100 { queue?.add(.pose, time: Int64(index), body: body("x")) }
        let dropped = queue?.counts.droppedPoses
        queue = nil
        #expect(try open(limit: 2_000).counts.droppedPoses == dropped)
        #expect(dropped! > 0)
    }

    @Test("A better clock is that of all that waits")
    func betterClockAllWaits() throws {
        let queue = try open(clock: ClockReading(offset: 0, quality: .unsynchronized))
        queue.add(.pose, time: 5, body: body("a"))
        #expect(all(queue).map(\.clock.quality) == [.unsynchronized])
        let known = ClockReading(offset: 1_782_000_000_000_000_000, quality: .gnss)
        queue.setClock(known)
        #expect(all(queue).map(\.clock) == [known])
        queue.setClock(ClockReading(offset: 3, quality: .system))
        #expect(queue.clock == known, "a worse clock changes nothing")
    }

    @Test("Messages of an earlier run of the computer keep the clock of that run")
    func messagesAnEarlierRun() throws {
        let known = ClockReading(offset: 1_782_000_000_000_000_000, quality: .gnss)
        var queue: OutboundQueue? = try open(boot: "first", clock: known)
        queue?.add(.pose, time: 5, body: body("a"))
        queue = nil
        let later = ClockReading(offset: 1_782_000_500_000_000_000, quality: .system)
        let next = try open(boot: "second", clock: later)
        next.add(.pose, time: 6, body: body("b"))
        #expect(all(next).map(\.clock) == [known, later])
    }

    @Test("The cursor of events is that of this run of the computer")
    func cursorEventsThisRun() throws {
        var queue: OutboundQueue? = try open(boot: "first")
        #expect(queue?.cursor == 7000, "before the first event it is the start of the program, in microseconds")
        queue?.addEvent(time: 1, body: body("a"), cursor: 41)
        queue?.addEvent(time: 1, body: body("b"), cursor: nil)
        #expect(queue?.cursor == 41)
        for entry in all(queue!) { queue?.acknowledge(entry.id) }
        queue?.flush()
        queue = nil
        queue = try open(boot: "first")
        #expect(queue?.cursor == 41, "also when nothing waits any more")
        queue = nil
        #expect(try open(boot: "second").cursor == 7000)
    }

    @Test("A second program cannot open the queue")
    func secondProgramCannotOpen() throws {
        let queue = try open()
        queue.add(.pose, time: 1, body: body("a"))
        #expect(throws: OutboundQueue.Problem.self) { try open() }
        #expect(texts(queue) == ["a"])
    }

    @Test("A damaged queue is put aside and a new one begins")
    func damagedQueuePutAside() throws {
        try open().add(.pose, time: 1, body: body("a"))
        let path = folder.path + "/queue.sqlite"
        let file = try #require(fopen(path, "w"))
        fputs(String(repeating: "not a database ", count: 200), file)
        fclose(file)
        let queue = try open(clock: ClockReading(offset: 1_782_000_000_000_000_000, quality: .system))
        #expect(texts(queue).isEmpty)
        queue.add(.pose, time: 1, body: body("b"))
        #expect(all(queue)[0].sequence > 1_000_000_000, "readers know higher numbers than 1")
        #expect(access(path + ".damaged", F_OK) == 0)
    }

    @Test("A file without content, such as a loss of power leaves, is put aside as well")
    func emptyQueuePutAside() throws {
        let path = folder.path + "/queue.sqlite"
        let file = try #require(fopen(path, "w"))
        fclose(file)
        #expect(texts(try open()).isEmpty)
        #expect(access(path + ".damaged", F_OK) == 0)
    }

    @Test("Damage that is met while the queue is in use is noticed")
    func damageWhileInUse() throws {
        let queue = try open(limit: 20_000_000)
        // More than the pages that SQLite keeps in memory.
        for number in 0..<4000 { queue.add(.pose, time: Int64(number), body: [UInt8](repeating: 0x61, count: 2000)) }
        #expect(!queue.isDamaged)
        for name in ["/queue.sqlite", "/queue.sqlite-wal"] {
            let descriptor = Glibc.open(folder.path + name, O_RDWR)
            let size = lseek(descriptor, 0, SEEK_END)
            let noise = [UInt8](repeating: 0xA5, count: Int(size) - 8192)
            #expect(pwrite(descriptor, noise, noise.count, 8192) == noise.count)
            close(descriptor)
        }
        #expect(all(queue).count < 4000)
        queue.add(.pose, time: 1, body: body("a"))
        #expect(queue.isDamaged && queue.problem != nil)
    }

    @Test("A damaged file that was put aside goes with the settings of privacy that it was written under")
    func damagedFileGoes() throws {
        let aside = folder.path + "/queue.sqlite.damaged"
        let file = try #require(fopen(aside, "w"))
        fclose(file)
        try open().add(.pose, time: 1, body: body("a"))
        _ = try open()
        #expect(access(aside, F_OK) == 0)
        _ = try open(owner: "ada, coarser")
        #expect(access(aside, F_OK) != 0)
    }

    @Test("Without an identifier of the computer's run the queue is not opened, as times would be confused")
    func noRunOfTheComputer() {
        #expect {
            try open(boot: "")
        } throws: { "\($0)".contains("boot_id") }
    }

    @Test("Without a folder the error names the setting")
    func withoutFolderErrorNames() {
        #expect {
            try OutboundQueue(
                folder: folder.path + "/missing", limit: 1000, owner: "ada", bootIdentifier: "x", clock: clock, now: 0)
        } throws: { error in
            "\(error)".contains("mqtt.directory must be writable by waymark-mqtt")
        }
    }

    @Test("What waits of another wearer or of other settings of privacy is removed and counted")
    func otherOwner() throws {
        var queue: OutboundQueue? = try open(owner: "ada 0")
        queue?.add(.pose, time: 1, body: body("exact"))
        queue?.addEvent(time: 1, body: body("event"), cursor: nil)
        queue = nil
        queue = try open(owner: "ada 500")
        #expect(texts(queue!).isEmpty)
        #expect(queue?.counts.droppedPoses == 1)
        #expect(queue?.counts.lostEvents == 1)
        queue?.add(.pose, time: 2, body: body("coarse"))
        queue = nil
        #expect(texts(try open(owner: "ada 500")) == ["coarse"])
    }

    @Test("An event that is not published is not asked for again")
    func skippedEvent() throws {
        let queue = try open()
        queue.addEvent(time: 1, body: body("a"), cursor: 8000)
        queue.skipEvent(cursor: 8500)
        #expect(queue.cursor == 8500)
    }

    @Test("What is acknowledged is not sent again though it is still in the file")
    func acknowledgedInFile() throws {
        let queue = try open()
        for index in 0..<3 { queue.add(.pose, time: Int64(index), body: body("\(index)")) }
        queue.acknowledge(2)
        #expect(texts(queue) == ["0", "2"])
    }
}
