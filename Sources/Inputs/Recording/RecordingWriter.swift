import Linux
import Model
import Synchronization

/// Writes a recording on its own thread, for an engine that must not wait for a disk.
///
/// Entries go into a bounded queue, so that no call waits for more than a lock. No call allocates memory, not even the
/// call that opens the file. When the disk is too slow, the newest entry is dropped and counted. When the disk fails,
/// or space becomes scarce, the recording ends, and the file stays readable up to that point.
public final class RecordingWriter: Sendable {
    /// Counts of written and of dropped content.
    public struct Counts: Hashable, Sendable {
        /// Number of measurements, poses and other entries in the file.
        public var messages: UInt64 = 0
        /// Size of the file. Unit: bytes.
        public var bytes: UInt64 = 0
        /// Number of entries dropped because the queue was full, the recording had failed, or a number was not finite.
        public var dropped: UInt64 = 0
    }

    /// Path of the file, or the name of a file that the caller opened.
    public let path: String
    /// Whether the caller has opened the file, which may be on a file system that does not respond.
    public let isOfCaller: Bool
    private let core: RecordingCore
    private let thread: WorkerThread

    /// Records into a new file, in a folder that is created if necessary; never overwrites an existing file.
    ///
    /// - Parameters:
    ///   - about: description of the recording.
    ///   - minimumFreeMegabytes: free space below which the recording does not begin, or ends. Unit: megabytes.
    ///   - onChange: called on the recording's thread when the recording has begun, and when it has ended, on request
    ///     or by itself.
    public convenience init(
        path: String, about: RecordingAbout = RecordingAbout(), minimumFreeMegabytes: Int = 0,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.init(.newFile(path: path), about, minimumFreeMegabytes, onChange)
    }

    /// Records into a file that the caller opened: a regular file, empty and open for writing.
    ///
    /// - Parameters:
    ///   - name: name of the file in messages.
    ///   - about: description of the recording.
    public convenience init(
        name: String, file: OwnedDescriptor, about: RecordingAbout = RecordingAbout(), minimumFreeMegabytes: Int = 0,
        onChange: @escaping @Sendable () -> Void
    ) {
        self.init(.handedOver(file, name: name), about, minimumFreeMegabytes, onChange)
    }

    private init(
        _ destination: RecordingDestination, _ about: RecordingAbout, _ minimumFreeMegabytes: Int,
        _ onChange: @escaping @Sendable () -> Void
    ) {
        path = destination.path
        if case .handedOver = destination { isOfCaller = true } else { isOfCaller = false }
        let core = RecordingCore(
            destination, about: about, minimumFreeMegabytes: minimumFreeMegabytes, onChange: onChange)
        self.core = core
        thread = WorkerThread(name: "recording") { stop in core.run(stop) }
    }

    deinit { thread.requestStop() }

    /// - Parameter time: time at which the engine received the measurement.
    public func offer(_ measurement: Measurement, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .measurement(measurement)))
    }

    /// - Parameters:
    ///   - sequence: number under which subscribers get the pose.
    ///   - time: time at which the engine produced the pose.
    public func offer(_ pose: PoseEstimate, sequence: UInt64, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .pose(pose, sequence: sequence)))
    }

    /// - Parameter time: time from which the content is valid, or at which the engine produced it.
    package func offer(_ content: RecordingEntry.Content, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: content))
    }

    /// Number of waiting entries. At `queueCapacity`, further entries are dropped.
    package var waiting: Int { core.queue.count }

    /// Maximum number of waiting entries.
    package static let queueCapacity = RecordingCore.capacity

    /// Counts of the content written so far.
    public var counts: Counts { core.counts }

    /// Free space to be left for other files; may be changed at any time. Unit: megabytes.
    public var minimumFreeMegabytes: Int {
        get { core.minimumFreeMegabytes.load(ordering: .relaxed) }
        set { core.minimumFreeMegabytes.store(newValue, ordering: .relaxed) }
    }

    /// Whether the file is open.
    public var hasBegun: Bool { core.outcome.hasBegun }

    /// Reason why the recording could not begin or ended by itself; nil while it continues.
    public var failure: RecordingError? { core.outcome.failure }

    /// Requests the end, without waiting: the thread writes the queued entries and the summary, and then calls
    /// `onChange`.
    public func requestFinish() {
        core.queue.close()
        thread.requestStop()
    }

    /// Whether writing has ended. If so, the file is complete unless `failure` is set.
    public var hasEnded: Bool { core.outcome.hasEnded }

    /// Writes the queued entries and the summary. The file is complete when this returns, unless `failure` is set or
    /// the disk did not respond in time.
    @discardableResult
    public func finish(timeoutSeconds: Double = 10) -> Counts {
        core.queue.close()
        thread.stop(timeoutSeconds: timeoutSeconds)
        return core.counts
    }
}
