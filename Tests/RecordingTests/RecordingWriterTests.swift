import Estimation
import Foundation
import Geodesy
import Geometry
import Glibc
import Linux
import Measurements
import Recording
import Synchronization
import Testing

@Suite("A recording beside the engine")
struct RecordingWriterTests {
    private let folder = TemporaryFolder()

    private func writer(_ name: String = "a.mcap") throws -> RecordingWriter {
        try RecordingWriter(path: folder.file(name)) {}
    }

    @Test("what is offered is in the file when it is finished, in order")
    func finished() throws {
        let walk = smallWalk(seconds: 10)
        let writer = try writer()
        for measurement in walk { writer.offer(measurement, at: measurement.time) }
        let counts = writer.finish()
        #expect(counts.messages == UInt64(walk.count) && counts.dropped == 0 && writer.failure == nil)
        #expect(counts.bytes == UInt64(folder.read("a.mcap").count))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements == walk && reading.warnings.isEmpty && reading.error == nil)
    }

    @Test("after a second at most it is on the disk, without being finished")
    func onTheDisk() throws {
        let writer = try writer()
        let clock = Measurement.clock(BootTime(nanoseconds: 7))
        writer.offer(clock, at: BootTime(nanoseconds: 7))
        let deadline = BootClock.nanoseconds + 5_000_000_000
        while Reading(folder.file("a.mcap")).measurements.isEmpty, BootClock.nanoseconds < deadline { usleep(20_000) }
        #expect(Reading(folder.file("a.mcap")).measurements == [clock])
        writer.finish()
    }

    @Test("more than the queue holds is dropped from its end and counted, never waited for")
    func overload() throws {
        let writer = try writer()
        let count = 200_000
        let start = BootClock.nanoseconds
        for index in 0..<count {
            writer.offer(.clock(BootTime(nanoseconds: Int64(index))), at: BootTime(nanoseconds: Int64(index)))
        }
        // Far above what a lock and a copy cost, far below what 200 000 writes to a disk would.
        #expect(BootClock.nanoseconds - start < 2_000_000_000)
        let counts = writer.finish()
        #expect(counts.messages + counts.dropped == UInt64(count))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements.count == Int(counts.messages))
        #expect(reading.measurements.map(\.time) == reading.measurements.map(\.time).sorted())
    }

    @Test("the end can be asked for without waiting, and tells when it has come")
    func requestedEnd() throws {
        let ends = EventDescriptor()
        let writer = try RecordingWriter(path: folder.file("a.mcap")) { ends.signal() }
        writer.offer(.clock(BootTime(nanoseconds: 7)), at: BootTime(nanoseconds: 7))
        writer.requestFinish()
        var entry = pollfd(fd: ends.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 10_000) == 1)
        #expect(writer.hasEnded && writer.failure == nil && writer.counts.messages == 1)
        #expect(Reading(folder.file("a.mcap")).warnings.isEmpty)
    }

    @Test("after the end, offers are dropped and counted")
    func afterTheEnd() throws {
        let writer = try writer()
        writer.finish()
        writer.offer(.clock(BootTime(nanoseconds: 1)), at: BootTime(nanoseconds: 1))
        #expect(writer.counts.dropped == 1 && writer.counts.messages == 0)
        #expect(writer.finish() == writer.counts)
    }

    @Test("a clock that steps back does not take the file's own times back", .enabled(if: Python.has("mcap")))
    func clockStepsBack() throws {
        let writer = try writer()
        for time in [5, 3, -2, 9] as [Int64] {
            writer.offer(.clock(BootTime(nanoseconds: time)), at: BootTime(nanoseconds: time))
        }
        writer.finish()
        let script = """
            import sys
            from mcap.reader import make_reader
            with open(sys.argv[1], "rb") as file:
                print([m.log_time for _, _, m in make_reader(file, validate_crcs=True).iter_messages()])
            """
        #expect(try Python.run(script, folder.file("a.mcap")) == "[5, 5, 5, 9]\n")
        #expect(Reading(folder.file("a.mcap")).measurements.map(\.time.nanoseconds) == [5, 3, -2, 9])
    }

    @Test("an existing file, a folder that is not there: a clear error and nothing touched")
    func cannotCreate() throws {
        folder.write("mine", to: "a.mcap")
        for (name, reason) in [("a.mcap", "the file exists already"), ("no/a.mcap", "No such file")] {
            let error = #expect(throws: RecordingError.self) { try writer(name) }
            #expect("\(error!)".contains(folder.file(name)) && "\(error!)".contains(reason))
        }
        #expect(folder.read("a.mcap") == Data("mine".utf8))
    }

    @Test("the file is the owner's to write and the group's to read")
    func mode() throws {
        try writer().finish()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("a.mcap"))[.posixPermissions] as? Int
        #expect(mode == 0o640 & ~Int(currentMask))
    }

    private var currentMask: mode_t {
        let mask = umask(0)
        umask(mask)
        return mask
    }

    @Test("a client's open file is written like one of our own")
    func clientsFile() throws {
        let path = folder.file("mine.mcap")
        let file = File(owning: open(path, O_RDWR | O_CREAT | O_EXCL, 0o600))
        let writer = try RecordingWriter(path: "mine", file: file) {}
        writer.offer(.clock(BootTime(nanoseconds: 1)), at: BootTime(nanoseconds: 1))
        #expect(writer.finish().messages == 1)
        #expect(Reading(path).measurements.count == 1)
    }

    @Test("what is no empty regular file open for writing is refused")
    func clientsOtherThings() throws {
        folder.write("text", to: "full")
        folder.write("", to: "empty")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let cases = [
            (ends[1], "not a regular file"), (open(folder.file("full"), O_WRONLY), "the file is not empty"),
            (open(folder.file("empty"), O_RDONLY), "not opened for writing"), (-1, "Bad file descriptor"),
        ]
        for (descriptor, reason) in cases {
            let error = #expect(throws: RecordingError.self) {
                try RecordingWriter(path: "theirs", file: File(owning: descriptor)) {}
            }
            #expect("\(error!)".contains(reason), "\(error!)")
        }
    }

    @Test("a full disk ends the recording with a named error; the file is whole up to there")
    func fullDisk() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // A limit on the size of files stands for the disk; it holds for the process, so this one is a process of
            // its own.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
            demand(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let folder = TemporaryFolder()
            let ends = Atomic(0)
            let walk = smallWalk(seconds: 60)
            let writer = try RecordingWriter(path: folder.file("a.mcap")) { ends.add(1, ordering: .relaxed) }
            for (index, measurement) in walk.enumerated() {
                writer.offer(measurement, at: measurement.time)
                if index % 2000 == 0 { usleep(150_000) }
            }
            let counts = writer.finish()
            demand(writer.hasEnded && ends.load(ordering: .relaxed) == 1)
            let failure = writer.failure.map { "\($0)" } ?? "none"
            demand(failure.contains("File too large"), failure)
            let reading = Reading(folder.file("a.mcap"))
            demand(
                reading.error == nil && !reading.measurements.isEmpty && walk.starts(with: reading.measurements))
            demand(UInt64(reading.measurements.count) == counts.messages)
            demand(counts.messages + counts.dropped == UInt64(walk.count), "\(counts) of \(walk.count)")
            demand(folder.read("a.mcap").count == Int(counts.bytes) && counts.bytes <= 200_000)
        }
        let complaint = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(complaint.isEmpty)
    }
}

/// In a process of its own an expectation does not reach the test: a message and an exit code do.
private func demand(_ condition: Bool, _ message: @autoclosure () -> String = "", line: Int = #line) {
    if condition { return }
    FileHandle.standardError.write(Data("line \(line): \(message())\n".utf8))
    exit(1)
}
