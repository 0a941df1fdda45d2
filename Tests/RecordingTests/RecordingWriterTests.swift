import Foundation
import Geometry
import Glibc
import Linux
import Model
import Recording
import Synchronization
import Testing

@Suite("A recording beside the engine")
struct RecordingWriterTests {
    private let folder = TemporaryFolder()

    private func writer(_ name: String = "a.mcap") -> RecordingWriter {
        RecordingWriter(path: folder.file(name)) {}
    }

    @Test("what is offered is in the file when it is finished, in order")
    func finished() throws {
        let walk = smallWalk(seconds: 10)
        let writer = writer()
        for measurement in walk { writer.offer(measurement, at: measurement.time) }
        let counts = writer.finish()
        #expect(counts.messages == UInt64(walk.count) && counts.dropped == 0 && writer.failure == nil)
        #expect(counts.bytes == UInt64(folder.read("a.mcap").count))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements == walk && reading.warnings.isEmpty && reading.error == nil)
    }

    @Test("after a chunk's two seconds at most it is on the disk, without being finished")
    func onTheDisk() throws {
        let writer = writer()
        let clock = Measurement.clock(BootTime(nanoseconds: 7))
        writer.offer(clock, at: BootTime(nanoseconds: 7))
        let deadline = BootClock.nanoseconds + 5_000_000_000
        while Reading(folder.file("a.mcap")).measurements.isEmpty, BootClock.nanoseconds < deadline { usleep(20_000) }
        #expect(Reading(folder.file("a.mcap")).measurements == [clock])
        writer.finish()
    }

    @Test("more than the queue holds is dropped from its end and counted, never waited for")
    func overload() throws {
        let writer = writer()
        let count = 200_000
        let start = BootClock.nanoseconds
        for index in 0..<count {
            writer.offer(.clock(BootTime(nanoseconds: Int64(index))), at: BootTime(nanoseconds: Int64(index)))
        }
        // wall time: far above what a lock and a copy cost, far below what 200 000 writes to a disk would.
        #expect(BootClock.nanoseconds - start < 2_000_000_000)
        let counts = writer.finish()
        #expect(counts.messages + counts.dropped == UInt64(count))
        let reading = Reading(folder.file("a.mcap"))
        #expect(reading.measurements.count == Int(counts.messages))
        #expect(reading.measurements.map(\.time) == reading.measurements.map(\.time).sorted())
    }

    @Test("the end can be requested without waiting, and is reported when it has come")
    func requestedEnd() throws {
        let ends = EventDescriptor()
        let writer = RecordingWriter(path: folder.file("a.mcap")) { ends.signal() }
        writer.offer(.clock(BootTime(nanoseconds: 7)), at: BootTime(nanoseconds: 7))
        writer.requestFinish()
        while !writer.hasEnded {
            var entry = pollfd(fd: ends.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 10_000) == 1)
            ends.clear()
        }
        #expect(writer.hasBegun && writer.failure == nil && writer.counts.messages == 1)
        #expect(Reading(folder.file("a.mcap")).warnings.isEmpty)
    }

    @Test("after the end, offers are dropped and counted")
    func afterTheEnd() throws {
        let writer = writer()
        writer.finish()
        writer.offer(.clock(BootTime(nanoseconds: 1)), at: BootTime(nanoseconds: 1))
        #expect(writer.counts.dropped == 1 && writer.counts.messages == 0)
        #expect(writer.finish() == writer.counts)
    }

    @Test("a clock that steps back does not take the file's own times back", .enabled(if: Python.has("mcap")))
    func clockStepsBack() throws {
        let writer = writer()
        for time in [5, 3, -2, 9] as [Int64] {
            writer.offer(.clock(BootTime(nanoseconds: time)), at: BootTime(nanoseconds: time))
            // What follows a calibration is in another message than what was before it.
            writer.offer(.calibration(calibration), at: BootTime(nanoseconds: time))
        }
        writer.finish()
        let script = """
            import sys
            from mcap.reader import make_reader
            with open(sys.argv[1], "rb") as file:
                print([m.log_time for _, _, m in make_reader(file, validate_crcs=True).iter_messages(["/samples"])])
            """
        #expect(try Python.run(script, folder.file("a.mcap")) == "[5, 5, 5, 9]\n")
        let clocks = Reading(folder.file("a.mcap")).measurements.filter { $0 != .calibration(calibration) }
        #expect(clocks.map(\.time.nanoseconds) == [5, 3, -2, 9])
    }

    private let calibration = SensorCalibration(
        time: BootTime(nanoseconds: 1), sensor: .gyroscope, correction: .identity, bias: .zero,
        biasStandardDeviation: .zero)

    @Test("an existing file, a folder that is not there: a clear error and nothing touched")
    func cannotCreate() throws {
        folder.write("mine", to: "a.mcap")
        for (name, reason) in [("a.mcap", "the file exists already"), ("no/no/a.mcap", "No such file")] {
            let writer = writer(name)
            writer.offer(.clock(BootTime(nanoseconds: 1)), at: BootTime(nanoseconds: 1))
            #expect(writer.finish().messages == 0 && writer.counts.dropped == 1)
            let failure = writer.failure.map { "\($0)" } ?? ""
            #expect(failure.contains(folder.file(name)) && failure.contains(reason))
            #expect(writer.hasEnded && !writer.hasBegun)
        }
        #expect(folder.read("a.mcap") == Data("mine".utf8))
    }

    @Test("where too little room is, no file stays behind; when it becomes scarce, the file is complete")
    func scarceRoom() throws {
        let refused = RecordingWriter(path: folder.file("a.mcap"), minimumFreeMegabytes: 1 << 40) {}
        refused.finish()
        #expect(refused.failure.map { "\($0)" }?.contains("MB are free") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file("a.mcap")))
        let ended = writer("b.mcap")
        let clock = Measurement.clock(BootTime(nanoseconds: 7))
        ended.offer(clock, at: BootTime(nanoseconds: 7))
        let deadline = BootClock.nanoseconds + 20_000_000_000
        while !ended.hasBegun, BootClock.nanoseconds < deadline { usleep(1000) }
        ended.minimumFreeMegabytes = 1 << 40
        while !ended.hasEnded, BootClock.nanoseconds < deadline { usleep(20_000) }
        #expect(ended.hasBegun && ended.failure.map { "\($0)" }?.contains("MB are free") == true)
        let reading = Reading(folder.file("b.mcap"))
        #expect(reading.measurements == [clock] && reading.warnings.isEmpty)
    }

    @Test("the file is the owner's alone")
    func mode() throws {
        writer().finish()
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("a.mcap"))[.posixPermissions] as? Int
        #expect(mode == 0o600 & ~Int(currentMask))
    }

    private var currentMask: mode_t {
        let mask = umask(0)
        umask(mask)
        return mask
    }

    @Test("a client's open file is written like one of our own")
    func clientsFile() throws {
        let path = folder.file("mine.mcap")
        let file = OwnedDescriptor(open(path, O_RDWR | O_CREAT | O_EXCL, 0o600))
        let writer = RecordingWriter(name: "mine", file: file) {}
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
            let writer = RecordingWriter(name: "theirs", file: OwnedDescriptor(descriptor)) {}
            writer.finish()
            let failure = writer.failure.map { "\($0)" } ?? ""
            #expect(failure.contains(reason), "\(failure)")
        }
    }

    @Test("a full disk ends the recording with a named error; the file is whole up to there")
    func fullDisk() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // A limit on the size of files stands for the disk; it holds for the process, so this one is a process of
            // its own.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 60_000, rlim_max: 60_000)
            demand(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let folder = TemporaryFolder()
            let ends = Atomic(0)
            let walk = smallWalk(seconds: 60)
            let writer = RecordingWriter(path: folder.file("a.mcap")) { ends.add(1, ordering: .relaxed) }
            for measurement in walk {
                writer.offer(measurement, at: measurement.time)
                writer.waitForQueue()
            }
            let counts = writer.finish()
            // Once for the begin and once for the end.
            demand(writer.hasEnded && ends.load(ordering: .relaxed) == 2)
            let failure = writer.failure.map { "\($0)" } ?? "none"
            demand(failure.contains("File too large"), failure)
            let reading = Reading(folder.file("a.mcap"))
            demand(
                reading.error == nil && !reading.measurements.isEmpty && walk.starts(with: reading.measurements))
            demand(UInt64(reading.measurements.count) == counts.messages)
            demand(counts.messages + counts.dropped == UInt64(walk.count), "\(counts) of \(walk.count)")
            demand(folder.read("a.mcap").count == Int(counts.bytes) && counts.bytes <= 60_000)
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
