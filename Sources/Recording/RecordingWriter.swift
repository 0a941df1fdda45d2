import Estimation
import Linux
import Measurements
import Synchronization

/// Writes a recording from a thread of its own, beside an engine that must not wait for a disk.
///
/// What is offered goes into a bounded queue: no call blocks beyond a lock or allocates. When the disk is too slow the
/// newest is dropped and counted. When it fails, the recording ends, and the file stays readable up to there.
public final class RecordingWriter: Sendable {
    /// What came into the file, and what did not.
    public struct Counts: Hashable, Sendable {
        public var messages: UInt64 = 0
        public var bytes: UInt64 = 0
        /// Because the queue was full, the recording had failed, or a number was not finite.
        public var dropped: UInt64 = 0
    }

    public let path: String
    private let core: RecordingCore
    private let thread: WorkerThread

    /// Creates the file; one that is there already is never overwritten.
    ///
    /// - Parameter onEnd: called once, from the recording's thread, when the recording has ended, asked for or by itself.
    /// - Throws: `cannotWrite`, also where the file exists.
    public convenience init(
        path: String, onEnd: @escaping @Sendable () -> Void
    ) throws(RecordingError) {
        try self.init(path: path, file: try File.createRecording(path), onEnd: onEnd)
    }

    /// Takes over a file that somebody else opened: a regular file, empty and open for writing.
    ///
    /// - Parameter path: a name for messages.
    /// - Throws: `cannotWrite` where it is anything else.
    public init(
        path: String, file: consuming File, onEnd: @escaping @Sendable () -> Void
    ) throws(RecordingError) {
        self.path = path
        try RecordingWriter.check(path, file)
        let writer = try MCAPWriter(path: path, file: file, synchronizesChunks: true)
        let core = RecordingCore(encoder: RecordingEncoder(writer: writer), onEnd: onEnd)
        self.core = core
        thread = WorkerThread(name: "recording") { stop in core.run(stop) }
    }

    deinit { thread.requestStop() }

    /// - Parameter time: when the engine took it.
    public func offer(_ measurement: Measurement, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .measurement(measurement)))
    }

    /// - Parameters:
    ///   - sequence: the number under which subscribers get it.
    ///   - time: when the engine gave it.
    public func offer(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .pose(pose, sequence: sequence)))
    }

    /// - Parameters:
    ///   - sequence: the number under which subscribers get it.
    ///   - time: when the engine gave it.
    public func offer(_ frame: FrameEstimate, sequence: UInt64, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .frame(frame, sequence: sequence)))
    }

    /// As far as it was written by now.
    public var counts: Counts { core.counts }

    /// Why the recording ended by itself; nil while it goes on.
    public var failure: RecordingError? { core.failure }

    /// Lets the thread write what was offered so far and the summary, and does not wait for it: `onEnd` tells.
    public func requestFinish() {
        core.queue.close()
        thread.requestStop()
    }

    /// Whether nothing more will be written: the file is complete, unless `failure` says otherwise.
    public var hasEnded: Bool { core.hasEnded }

    /// Writes what was offered so far and the summary. The file is complete when this returns, unless `failure` says
    /// otherwise or the disk did not answer in time.
    @discardableResult
    public func finish(timeoutSeconds: Double = 10) -> Counts {
        core.queue.close()
        thread.stop(timeoutSeconds: timeoutSeconds)
        return core.counts
    }

    private static func check(_ path: String, _ file: borrowing File) throws(RecordingError) {
        let status: File.Status
        do throws(FileError) {
            status = try file.status()
        } catch {
            throw .cannotWrite(path: path, reason: error.description)
        }
        guard status.isRegular else { throw .cannotWrite(path: path, reason: "it is not a regular file") }
        guard file.isWritable else { throw .cannotWrite(path: path, reason: "it was not opened for writing") }
        guard status.size == 0 else { throw .cannotWrite(path: path, reason: "the file is not empty") }
    }
}

extension File {
    /// A new file for a recording, readable by the group, its name brought to the disk.
    static func createRecording(_ path: String) throws(RecordingError) -> File {
        do throws(FileError) {
            let file = try File.createNew(path, mode: 0o640)
            try File.synchronizeDirectory(of: path)
            return file
        } catch {
            let reason = error.isExisting ? "the file exists already; choose another name" : error.description
            throw .cannotWrite(path: path, reason: reason)
        }
    }
}

/// What the recording's thread works on.
private final class RecordingCore: Sendable {
    /// Some ten seconds of a 200 Hz inertial sensor with its poses: a slow card may stall so long.
    private static let capacity = 8192
    /// How often the queue is emptied: seldom, since each time wakes the processor.
    private static let interval = 0.1
    private static let chunkNanoseconds = Int64(MCAPWriter.chunkNanoseconds)

    let queue = RecordingQueue(capacity: RecordingCore.capacity)
    private let encoder: Mutex<RecordingEncoder>
    private let outcome = Mutex(Outcome())
    private let onEnd: @Sendable () -> Void

    private struct Outcome: Sendable {
        var counts = RecordingWriter.Counts()
        var failure: RecordingError?
        var hasEnded = false
    }

    init(encoder: consuming sending RecordingEncoder, onEnd: @escaping @Sendable () -> Void) {
        self.encoder = Mutex(encoder)
        self.onEnd = onEnd
    }

    var failure: RecordingError? { outcome.withLock { $0.failure } }
    var hasEnded: Bool { outcome.withLock { $0.hasEnded } }

    var counts: RecordingWriter.Counts {
        var counts = outcome.withLock { $0.counts }
        counts.dropped += queue.dropped
        return counts
    }

    /// The thread: it alone takes the encoder, so the lock on it is never waited for.
    func run(_ stop: StopFlag) {
        encoder.withLock { encoder in
            do throws(RecordingError) {
                try record(&encoder, stop)
                try encoder.writer.finish()
                note(encoder)
            } catch {
                fail(&encoder, error)
            }
        }
        outcome.withLock { $0.hasEnded = true }
        onEnd()
    }

    private func record(_ encoder: inout RecordingEncoder, _ stop: StopFlag) throws(RecordingError) {
        var openedAt = BootClock.nanoseconds
        var chunks = encoder.writer.chunkCount
        while !stop.isSet {
            stop.wait(seconds: RecordingCore.interval, orReadable: queue.wake.descriptor)
            queue.wake.clear()
            try drain(&encoder)
            let now = BootClock.nanoseconds
            if encoder.writer.chunkCount != chunks || !encoder.writer.hasOpenChunk { openedAt = now }
            if now - openedAt >= RecordingCore.chunkNanoseconds { try encoder.writer.closeChunk() }
            chunks = encoder.writer.chunkCount
            note(encoder)
        }
        try drain(&encoder)
    }

    private func drain(_ encoder: inout RecordingEncoder) throws(RecordingError) {
        while let entry = queue.pop() {
            switch entry.content {
            case .measurement(let measurement): try encoder.append(measurement, at: entry.time)
            case .pose(let pose, let sequence): try encoder.append(pose, sequence: sequence, at: entry.time)
            case .frame(let frame, let sequence): try encoder.append(frame, sequence: sequence, at: entry.time)
            }
        }
    }

    /// Leaves the file as good as it can be: without the torn chunk and, where there is room for it, with its summary.
    private func fail(_ encoder: inout RecordingEncoder, _ error: RecordingError) {
        queue.close()
        encoder.writer.dropOpenChunk()
        do throws(RecordingError) { try encoder.writer.finish() } catch { encoder.writer.dropOpenChunk() }
        var unwritten: UInt64 = 0
        while queue.pop() != nil { unwritten += 1 }
        let counts = encoder.counts
        outcome.withLock {
            $0.counts = counts
            $0.counts.dropped += unwritten
            $0.failure = error
        }
    }

    private func note(_ encoder: borrowing RecordingEncoder) {
        let counts = encoder.counts
        outcome.withLock { $0.counts = counts }
    }
}
