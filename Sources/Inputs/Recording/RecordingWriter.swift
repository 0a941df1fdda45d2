import Linux
import Model
import PlanMatching
import Engine
import Synchronization

/// Writes a recording from a thread of its own, beside an engine that must not wait for a disk.
///
/// What is offered goes into a bounded queue: no call blocks beyond a lock or allocates, the opening of the file
/// included. When the disk is too slow the newest is dropped and counted. When it fails, or room becomes scarce, the
/// recording ends, and the file stays readable up to there.
public final class RecordingWriter: Sendable {
    /// Counts of what came into the file, and of what did not.
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
    /// Whether the caller has opened the file, which may be one that does not answer.
    public let isOfCaller: Bool
    private let core: RecordingCore
    private let thread: WorkerThread

    /// Records into a new file, in a folder that is made if need be; a file that is there already is never overwritten.
    ///
    /// - Parameters:
    ///   - about: what the recording says of itself.
    ///   - minimumFreeMegabytes: with less room than this the recording is not begun, or ends.
    ///   - onChange: called from the recording's thread: when the recording has begun, and when it has ended, asked for
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
    ///   - about: what the recording says of itself.
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

    /// - Parameters:
    ///   - start: what the estimator begins with at this point, or knows by now.
    ///   - time: when it was so.
    public func offer(_ start: WarmStart, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .warmStart(start)))
    }

    /// - Parameters:
    ///   - frame: place of the scene on the earth, as published before the recording.
    ///   - time: when the recording begins.
    public func offer(standing frame: FrameEstimate, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .standing(frame)))
    }

    /// - Parameters:
    ///   - places: placements of the scene, as GeoJSON.
    ///   - time: from when on they are shown.
    public func offer(places: String, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .places(places)))
    }

    /// - Parameters:
    ///   - route: the route as GeoJSON; a collection without a line where there is none.
    ///   - time: from when on it is followed.
    public func offer(route: String, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .route(route)))
    }

    /// - Parameters:
    ///   - sensors: identities of the sensors, which are opened one after the other.
    ///   - time: when they were so.
    public func offer(_ sensors: WarmStart.Sensors, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .sensors(sensors)))
    }

    /// Takes a line of the journal.
    public func offer(_ line: RecordedLine, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .line(line)))
    }

    /// - Parameters:
    ///   - state: state of the estimator at this point, between two measurements.
    ///   - time: when it was so.
    public func offer(_ state: EstimatorState, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .estimatorState(state)))
    }

    /// - Parameters:
    ///   - library: plans that the estimator uses from this point on, between two measurements.
    ///   - time: when it was so.
    public func offer(_ library: PlanLibrary, at time: BootTime) {
        core.queue.push(RecordingEntry(time: time, content: .plans(library)))
    }

    /// Number of entries that wait to be written; those beyond `queueCapacity` are dropped.
    package var waiting: Int { core.queue.count }

    /// Number of entries that may wait to be written.
    package static let queueCapacity = RecordingCore.capacity

    /// Counts of what was written so far.
    public var counts: Counts { core.counts }

    /// Free space that is left to others; may be changed at any time. Unit: megabytes.
    public var minimumFreeMegabytes: Int {
        get { core.minimumFreeMegabytes.load(ordering: .relaxed) }
        set { core.minimumFreeMegabytes.store(newValue, ordering: .relaxed) }
    }

    /// Whether the file is open.
    public var hasBegun: Bool { core.outcome.hasBegun }

    /// Why the recording could not begin or ended by itself; nil while it goes on.
    public var failure: RecordingError? { core.outcome.failure }

    /// Lets the thread write what was offered so far and the summary, and does not wait for it: `onChange` is called
    /// then.
    public func requestFinish() {
        core.queue.close()
        thread.requestStop()
    }

    /// Whether nothing more will be written: the file is complete, unless `failure` says otherwise.
    public var hasEnded: Bool { core.outcome.hasEnded }

    /// Writes what was offered so far and the summary. The file is complete when this returns, unless `failure` says
    /// otherwise or the disk did not answer in time.
    @discardableResult
    public func finish(timeoutSeconds: Double = 10) -> Counts {
        core.queue.close()
        thread.stop(timeoutSeconds: timeoutSeconds)
        return core.counts
    }
}
