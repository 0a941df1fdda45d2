import Linux
import Synchronization

/// Reads the buffers of local devices on the consumer's thread, so that a sample passes no other thread.
///
/// The threads of the devices add their buffers and wait for the end of the reading. Until a buffer is removed again,
/// only `read` and `look` use it, one at a time.
package final class DirectReader: Sendable {
    private let readable = DescriptorSet()
    private let members = Mutex<[DirectStream]>([])

    package init() {}

    /// Readable while a buffer of an inertial sensor has samples.
    package var descriptor: Int32 { readable.descriptor }

    /// Adds a buffer. The samples of an aiding sensor do not make `descriptor` readable, because they are read together
    /// with the inertial samples that they are applied with.
    package func add(_ stream: DirectStream) {
        members.withLock { members in
            // Aiding sensors are read first. Their samples are then not late for the inertial samples of their time.
            members.insert(stream, at: stream.isInertial ? members.count : 0)
        }
        if stream.isInertial { readable.insert(stream.descriptor) }
    }

    /// Removes a buffer; returns when no other thread uses it any more.
    package func remove(_ stream: DirectStream) {
        if stream.isInertial { readable.remove(stream.descriptor) }
        members.withLock { $0.removeAll { $0 === stream } }
    }

    /// Pushes what the buffers hold into the queue; does not wait.
    package func read() {
        members.withLock { members in
            guard !members.isEmpty else { return }
            let now = BootClock.nanoseconds
            for member in members where member.isDue(at: now) { member.read() }
        }
    }

    /// How the reading of a buffer goes.
    package func progress(of stream: DirectStream) -> DirectStream.Progress {
        members.withLock { _ in stream.progress }
    }

    /// Reads a buffer on another thread than the consumer's, which may be held up; returns how the reading goes.
    package func look(at stream: DirectStream) -> DirectStream.Progress {
        members.withLock { _ in
            if stream.progress.failure == nil { stream.readForConsumer() }
            return stream.progress
        }
    }

    /// Whether a buffer of an inertial sensor is read.
    package var hasInertial: Bool { members.withLock { $0.contains(where: \.isInertial) } }
}

/// Buffer of a device whose samples can be read without waiting for more.
package protocol HeldBuffer: AnyObject {
    /// Whether the samples are of an inertial sensor.
    var isInertial: Bool { get }
    /// Time at which the next sample is expected, on the clock of `BootClock`. Unit: ns.
    var nextArrival: Int64 { get }
    /// Pushes the samples into the queue without waking the consumer; returns whether there were any.
    func readHeld() throws(IIOError) -> Bool
    /// Wakes the consumer for samples that another thread has read.
    func announce()
}

/// Buffer of a device while a `DirectReader` reads it. It may be used with the reader's lock held.
package final class DirectStream: @unchecked Sendable {
    /// Readings so far.
    package struct Progress {
        /// Number of readings that delivered samples.
        package fileprivate(set) var batches: UInt64 = 0
        /// Error of the last reading. After an error the buffer is not read any more.
        package fileprivate(set) var failure: IIOError?
    }

    let descriptor: Int32
    let isInertial: Bool
    fileprivate private(set) var progress = Progress()
    private let buffer: any HeldBuffer
    private let failed: EventDescriptor
    private let report: () -> Void

    /// - Parameters:
    ///   - descriptor: the open buffer's descriptor.
    ///   - failed: signalled when a reading fails.
    ///   - report: called after each reading that delivered samples.
    package init(_ buffer: any HeldBuffer, descriptor: Int32, failed: EventDescriptor, report: @escaping () -> Void) {
        self.buffer = buffer
        self.descriptor = descriptor
        self.failed = failed
        self.report = report
        isInertial = buffer.isInertial
    }

    /// Whether a sample may have arrived. An aiding sensor is not read with every inertial sample, because an attempt
    /// costs a system call.
    fileprivate func isDue(at now: Int64) -> Bool {
        progress.failure == nil && (isInertial || now >= buffer.nextArrival)
    }

    /// Returns whether there were samples.
    @discardableResult
    fileprivate func read() -> Bool {
        do throws(IIOError) {
            guard try buffer.readHeld() else { return false }
            progress.batches += 1
            report()
            return true
        } catch {
            progress.failure = error
            failed.signal()
            return false
        }
    }

    /// Reads on another thread than the consumer's. The consumer then finds the descriptor no longer readable, so it is
    /// woken for inertial samples.
    fileprivate func readForConsumer() {
        if read(), isInertial { buffer.announce() }
    }
}
