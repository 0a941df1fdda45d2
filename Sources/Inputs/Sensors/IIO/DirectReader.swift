import Linux
import Synchronization

/// Reads the buffers of local devices on the consumer's thread, so that a sample passes no other thread.
///
/// The threads of the devices add their buffers and wait for the end of the reading. Until a buffer is removed again,
/// only `read` uses it.
final class DirectReader: Sendable {
    private let readable = DescriptorSet()
    private let members = Mutex<[DirectStream]>([])

    /// Readable while a buffer of an inertial sensor has samples.
    var descriptor: Int32 { readable.descriptor }

    /// Adds a buffer. The samples of an aiding sensor do not make `descriptor` readable, because they are read together
    /// with the inertial samples that they are applied with.
    func add(_ stream: DirectStream) {
        members.withLock { members in
            // Aiding sensors are read first. Their samples are then not late for the inertial samples of their time.
            members.insert(stream, at: stream.isInertial ? members.count : 0)
        }
        if stream.isInertial { readable.insert(stream.descriptor) }
    }

    /// Removes a buffer; returns when no other thread uses it any more.
    func remove(_ stream: DirectStream) {
        if stream.isInertial { readable.remove(stream.descriptor) }
        members.withLock { $0.removeAll { $0 === stream } }
    }

    /// Pushes what the buffers hold into the queue; does not wait.
    func read() {
        members.withLock { members in
            guard !members.isEmpty else { return }
            let now = BootClock.nanoseconds
            for member in members where member.isDue(at: now) { member.read() }
        }
    }

    /// How the reading of a buffer goes.
    func progress(of stream: DirectStream) -> DirectStream.Progress { members.withLock { _ in stream.progress } }

    /// Reads a buffer on another thread than the consumer's, which may be held up; returns how the reading goes.
    func look(at stream: DirectStream) -> DirectStream.Progress {
        members.withLock { _ in
            if stream.progress.failure == nil { stream.read() }
            return stream.progress
        }
    }

    /// Whether a buffer of an inertial sensor is read.
    var hasInertial: Bool { members.withLock { $0.contains(where: \.isInertial) } }
}

/// Buffer of a device while a `DirectReader` reads it. It may be used with the reader's lock held.
final class DirectStream: @unchecked Sendable {
    /// Readings so far.
    struct Progress {
        /// Number of readings that delivered samples.
        var batches: UInt64 = 0
        /// Error of the last reading. After an error the buffer is not read any more.
        var failure: IIOError?
    }

    let descriptor: Int32
    let isInertial: Bool
    fileprivate private(set) var progress = Progress()
    private let stream: BufferStream
    private let failed: EventDescriptor
    /// Called after each reading that delivered samples.
    private let report: () -> Void

    /// - Parameters:
    ///   - descriptor: the open buffer's descriptor.
    ///   - failed: signalled when a reading fails.
    init(_ stream: BufferStream, descriptor: Int32, failed: EventDescriptor, report: @escaping () -> Void) {
        self.stream = stream
        self.descriptor = descriptor
        self.failed = failed
        self.report = report
        isInertial = stream.isInertial
    }

    /// Whether a sample may have arrived. An aiding sensor is not read with every inertial sample, because an attempt
    /// costs a system call.
    fileprivate func isDue(at now: Int64) -> Bool {
        progress.failure == nil && (isInertial || now >= stream.nextArrival)
    }

    fileprivate func read() {
        do throws(IIOError) {
            guard try stream.readHeld() else { return }
            progress.batches += 1
            report()
        } catch {
            progress.failure = error
            failed.signal()
        }
    }
}
