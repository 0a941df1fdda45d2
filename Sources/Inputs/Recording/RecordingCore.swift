import Linux
import Synchronization

/// Work of a recording's thread: opens the file, writes the queue's entries, and leaves the file complete.
final class RecordingCore: Sendable {
    /// Maximum number of waiting entries. The queue has room for about ten seconds of a 200 Hz inertial sensor with its
    /// poses, because a slow card may stall for seconds.
    static let capacity = 8192
    /// Interval at which the queue is emptied. It is long, because the processor wakes each time. Unit: seconds.
    private static let interval = 0.1
    private static let chunkNanoseconds = Int64(MCAPWriter.chunkNanoseconds)

    let queue = RecordingQueue(capacity: RecordingCore.capacity)
    let minimumFreeMegabytes: Atomic<Int>
    private let destination: RecordingDestination
    private let about: RecordingAbout
    private let present = Mutex(Outcome())
    private let onChange: @Sendable () -> Void

    struct Outcome: Sendable {
        var counts = RecordingWriter.Counts()
        var failure: RecordingError?
        var hasBegun = false
        var hasEnded = false
    }

    init(
        _ destination: RecordingDestination, about: RecordingAbout, minimumFreeMegabytes: Int,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.destination = destination
        self.about = about
        self.minimumFreeMegabytes = Atomic(minimumFreeMegabytes)
        self.onChange = onChange
    }

    var outcome: Outcome { present.withLock { $0 } }

    var counts: RecordingWriter.Counts {
        var counts = outcome.counts
        counts.dropped += queue.dropped
        return counts
    }

    /// Records until the end. Runs on the recording's thread.
    func run(_ stop: StopFlag) {
        do throws(RecordingError) {
            var encoder = try begin()
            present.withLock { $0.hasBegun = true }
            onChange()
            do throws(RecordingError) {
                let shortage = try record(&encoder, stop)
                try encoder.finish()
                conclude(encoder.counts, shortage)
            } catch {
                rescue(&encoder)
                conclude(encoder.counts, error)
            }
        } catch {
            conclude(RecordingWriter.Counts(), error)
        }
        present.withLock { $0.hasEnded = true }
        onChange()
    }

    private func begin() throws(RecordingError) -> RecordingEncoder {
        let file = try destination.open()
        do throws(RecordingError) {
            if let shortage = shortage(file.freeBytes) { throw shortage }
            return try RecordingEncoder(
                writer: try MCAPWriter(path: destination.path, file: file, synchronizesChunks: true), about: about)
        } catch {
            destination.discard()
            throw error
        }
    }

    /// Records until the end is requested or the recording has to end early.
    ///
    /// - Returns: reason why the recording ended early; nil if its end was requested.
    private func record(
        _ encoder: inout RecordingEncoder, _ stop: StopFlag
    ) throws(RecordingError) -> RecordingError? {
        var openedAt = BootClock.nanoseconds
        var chunks = encoder.writer.chunkCount
        while !stop.isSet {
            stop.wait(seconds: RecordingCore.interval, orReadable: queue.wake.descriptor)
            queue.wake.clear()
            try drain(&encoder)
            let now = BootClock.nanoseconds
            if encoder.writer.chunkCount != chunks || !encoder.hasOpenChunk { openedAt = now }
            if now - openedAt >= RecordingCore.chunkNanoseconds {
                try encoder.closeChunk()
                openedAt = now
            }
            let isChunkWritten = encoder.writer.chunkCount != chunks
            chunks = encoder.writer.chunkCount
            present.withLock { $0.counts = encoder.counts }
            if isChunkWritten, let shortage = shortage(encoder.writer.freeBytes) {
                queue.close()
                try drain(&encoder)
                return shortage
            }
        }
        try drain(&encoder)
        return nil
    }

    private func drain(_ encoder: inout RecordingEncoder) throws(RecordingError) {
        while let entry = queue.pop() {
            switch entry.content {
            case .measurement(let measurement): try encoder.append(measurement, at: entry.time)
            case .pose(let pose, let sequence): try encoder.append(pose, sequence: sequence, at: entry.time)
            case .warmStart(let start): try encoder.append(start, at: entry.time)
            case .estimatorState(let state): try encoder.append(state, at: entry.time)
            case .plans(let library): try encoder.append(library, at: entry.time)
            case .frame(let frame, let sequence): try encoder.append(frame, sequence: sequence, at: entry.time)
            case .standing(let frame): try encoder.append(standing: frame, at: entry.time)
            case .places(let text): try encoder.append(.map, geoJSON: text, at: entry.time)
            case .route(let text): try encoder.append(.route, geoJSON: text, at: entry.time)
            case .sensors(let sensors): encoder.note(sensors)
            case .line(let line): try encoder.append(line, at: entry.time)
            }
        }
    }

    /// Error for a file system with too little space; nil if the free space is not reported.
    private func shortage(_ free: UInt64?) -> RecordingError? {
        let megabytes = minimumFreeMegabytes.load(ordering: .relaxed)
        guard let free, free >> 20 < UInt64(clamping: megabytes) else { return nil }
        return .cannotWrite(
            path: destination.path,
            reason: "less than \(megabytes) MB are free; make room or lower recording.minimum_free_megabytes")
    }

    /// Completes the file as well as possible: removes the incomplete chunk and, if there is space, writes the summary.
    private func rescue(_ encoder: inout RecordingEncoder) {
        encoder.dropOpenChunk()
        do throws(RecordingError) { try encoder.finish() } catch { encoder.dropOpenChunk() }
    }

    /// Ends the recording; entries that still wait count as dropped.
    private func conclude(_ counts: RecordingWriter.Counts, _ failure: RecordingError?) {
        queue.close()
        var unwritten: UInt64 = 0
        while let entry = queue.pop() { unwritten += entry.isCounted ? 1 : 0 }
        present.withLock {
            $0.counts = counts
            $0.counts.dropped += unwritten
            $0.failure = failure
        }
    }
}
