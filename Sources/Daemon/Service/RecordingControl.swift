import Configuration
import Glibc
import Linux
import Model
import PlanMatching
import Engine
import Recording
import WaymarkInterface

/// Begins, feeds and ends recordings, of which the daemon makes one at a time. Gives a recording up when the disk
/// fails.
final class RecordingControl: DaemonPart {
    /// Result of a recording that has ended.
    struct Outcome: Sendable {
        let path: String
        let counts: RecordingWriter.Counts
        let failure: RecordingError?
    }

    private enum State {
        case idle
        /// The recording's thread opens the file. Entries wait until that is done.
        case beginning(RecordingWriter, completion: (Result<String, RecordingInterface.Failure>) -> Void)
        case recording(RecordingWriter)
        /// The recording's thread writes the remaining entries.
        case finishing(RecordingWriter, completion: (Outcome) -> Void)

        var writer: RecordingWriter? {
            switch self {
            case .idle: nil
            case .beginning(let writer, _), .recording(let writer), .finishing(let writer, _): writer
            }
        }
    }

    private let reactor: Reactor
    private let driver: EngineDriver
    private let publisher: PosePublisher
    private var state = State.idle
    /// Recordings that were given up because the caller's file does not answer; each keeps a thread until its file
    /// answers.
    private var givenUp: [(writer: RecordingWriter, user: UInt32)] = []
    private var patience: TimerIdentifier?
    /// User who has opened the file of the present recording.
    private var fileUser: UInt32 = 0
    /// Name of the recording in the journal. It omits a path that a client chose, because that path may reveal where
    /// the wearer goes.
    private var title = "recording"
    /// Writer that takes entries in the present state; nil if there is none.
    private var sink: RecordingWriter?
    /// Reason why the last recording ended by itself; reported once, to the next client that wants to end it.
    private var unaskedEnd: RecordingInterface.Failure?
    private var settings: Configuration.Recording
    /// Signalled from the recording's thread when the recording has begun or ended.
    private let wake = EventDescriptor()
    private var recordedSensors = WarmStart.Sensors()
    private var recordedMap = RecordedMap()
    /// Selects the poses that are recorded; nil to record every pose.
    private var poses: RateDivider?

    /// Interval at which changes of the map and of the sensors are recorded. Unit: nanoseconds.
    private static let changesInterval: Int64 = 10_000_000_000
    /// Time that a file that the caller opened has to answer, at the beginning and at the end. Unit: nanoseconds.
    private static let filePatience: Int64 = 15_000_000_000
    private static let givenUpLimit = ShareLimit(all: 4, ofUser: 1, reserve: 1)

    init(
        _ reactor: Reactor, settings: Configuration.Recording, driver: EngineDriver, publisher: PosePublisher
    ) throws(SystemError) {
        self.reactor = reactor
        self.settings = settings
        self.driver = driver
        self.publisher = publisher
        try reactor.watch(wake.descriptor, .reading) { [unowned self] _ in woken() }
    }

    func apply(_ settings: Configuration.Recording) {
        self.settings = settings
        state.writer?.minimumFreeMegabytes = settings.minimumFreeMegabytes
    }

    /// Whether a recording exists, from its beginning to its end.
    var isRecording: Bool { state.writer != nil }

    /// The recording under way; nil without one.
    var present: StatusInterface.Recording? {
        guard case .recording(let writer) = state else { return nil }
        let counts = writer.counts
        return StatusInterface.Recording(
            path: writer.path, messages: Int(clamping: counts.messages), bytes: Int(clamping: counts.bytes),
            dropped: Int(clamping: counts.dropped))
    }

    // MARK: entries

    private static var now: BootTime { BootTime(nanoseconds: BootClock.nanoseconds) }

    func take(_ measurement: Measurement) { sink?.offer(measurement, at: Self.now) }

    func take(_ start: WarmStart) { sink?.offer(.warmStart(start), at: Self.now) }

    func take(_ library: PlanLibrary) { sink?.offer(.plans(library), at: Self.now) }

    func take(_ pose: PoseEstimate, sequence: UInt64) {
        guard sink != nil, poses?.takes(pose.time) ?? true else { return }
        sink?.offer(pose, sequence: sequence, at: Self.now)
    }

    func take(_ frame: FrameEstimate, sequence: UInt64) {
        sink?.offer(.frame(frame, sequence: sequence), at: Self.now)
    }

    private func takeChanges() {
        guard let sink else { return }
        let time = Self.now
        takeMap(sink, time)
        let sensors = driver.sensors
        guard sensors != recordedSensors else { return }
        recordedSensors = sensors
        sink.offer(.sensors(sensors), at: time)
    }

    private func takeMap(_ sink: RecordingWriter, _ time: BootTime) {
        let present = RecordedMap(of: &driver.engine)
        if present.route != recordedMap.route {
            recordedMap.route = present.route
            sink.offer(.route(present.routeText), at: time)
        }
        if present.hasMoved(from: recordedMap) {
            recordedMap = present
            sink.offer(.places(present.placesText), at: time)
        }
    }

    // MARK: start and end

    /// Records from the first measurement if the settings want it.
    func begin() {
        reactor.every(Self.changesInterval) { [unowned self] in takeChanges() }
        if settings.atStart { startAtLaunch() }
    }

    /// Records into a new file in the recording directory, or into a file that the caller opened.
    ///
    /// - Parameters:
    ///   - name: name of the new file; for a file that the caller opened, its name in messages.
    ///   - user: who has opened the file.
    ///   - poseRate: poses recorded per second, 0 for every pose; nil for the rate of the settings. Unit: hertz.
    ///   - isAtLaunch: whether the daemon itself begins the recording, and has chosen its name.
    ///   - completion: called on the reactor with the full path of the file once it is open, or with the failure if it
    ///     cannot be opened.
    func start(
        name: String, file: OwnedDescriptor? = nil, user: UInt32 = 0, poseRate: Double? = nil, isAtLaunch: Bool = false,
        _ completion: @escaping (Result<String, RecordingInterface.Failure>) -> Void
    ) throws(RecordingInterface.Failure) {
        if let writer = state.writer { throw .alreadyRecording(path: writer.path) }
        if file != nil { try checkEarlierFiles(of: user, name) }
        let (minimum, wake) = (settings.minimumFreeMegabytes, wake)
        let onChange = { @Sendable in wake.signal() }
        let writer =
            if let file {
                RecordingWriter(
                    name: name, file: file, about: about, minimumFreeMegabytes: minimum, onChange: onChange)
            } else {
                RecordingWriter(
                    path: try place(of: name), about: about, minimumFreeMegabytes: minimum, onChange: onChange)
            }
        let rate = poseRate ?? settings.poseRateHz
        poses = rate > 0 ? RateDivider(rate: max(rate, 0.001)) : nil
        sink = writer
        Log.listener.withLock {
            $0 = { [weak writer] priority, text in writer?.offer(.line(RecordedLine(priority, text)), at: Self.now) }
        }
        takePresent()
        state = .beginning(writer, completion: completion)
        fileUser = user
        title = isAtLaunch ? "recording \(writer.path)" : "recording"
        Log.debug("recording to \(writer.path)")
        if writer.isOfCaller { giveUpLater(writer) }
    }

    /// Description of the recording in its own file.
    private var about: RecordingAbout {
        RecordingAbout(host: Self.hostName, sensors: driver.sensors, utcOffset: publisher.utcOffset)
    }

    /// Name of this computer; empty if it has none.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// - Throws: if too many files of earlier recordings do not answer.
    private func checkEarlierFiles(of user: UInt32, _ name: String) throws(RecordingInterface.Failure) {
        givenUp.removeAll { $0.writer.hasEnded }
        var held = UserShares()
        for each in givenUp { held.add(each.user) }
        guard Self.givenUpLimit.reached(by: user, held) != nil else { return }
        throw .cannotRecord(path: name, reason: "the file of an earlier recording does not answer: end its file system")
    }

    /// Gives a recording up if its file, which a caller opened, does not answer within `filePatience`. A call is then
    /// waiting for the recording to begin or to end.
    private func giveUpLater(_ writer: RecordingWriter) {
        stopPatience()
        patience = reactor.after(Self.filePatience) { [weak self, weak writer] in
            guard let self, let writer, state.writer === writer else { return }
            let failure = RecordingError.cannotWrite(path: writer.path, reason: "the file does not answer")
            switch state {
            case .idle, .recording: return
            case .beginning(_, let completion):
                giveUp(writer)
                completion(.failure(RecordingInterface.Failure(path: writer.path, failure)))
            case .finishing(_, let completion):
                giveUp(writer)
                completion(Outcome(path: writer.path, counts: writer.counts, failure: failure))
            }
        }
    }

    private func stopPatience() {
        if let timer = patience.take() { reactor.cancel(timer) }
    }

    private func giveUp(_ writer: RecordingWriter) {
        Log.warning("\(title) given up: the file does not answer")
        becomeIdle()
        writer.requestFinish()
        givenUp.append((writer, fileUser))
    }

    /// Records the present state, from which a replay starts. The state of the estimator comes last, because it
    /// replaces everything before it and depends on the plans. The calibrations, and the learned errors relative to
    /// them, are for readers that cannot restore that state.
    private func takePresent() {
        for var calibration in driver.engine.odometry.calibrations {
            calibration.time = Self.now
            take(.calibration(calibration))
        }
        if let known = driver.engine.learned() { take(known) }
        if let frame = publisher.latestFrame?.frame { sink?.offer(.standing(frame), at: Self.now) }
        (recordedMap, recordedSensors) = (RecordedMap(), WarmStart.Sensors())
        takeChanges()
        let library = driver.engine.odometry.library
        if !library.plans.isEmpty { take(library) }
        if driver.hasMeasured, let estimator = driver.engine.estimatorState() {
            sink?.offer(.estimatorState(estimator), at: Self.now)
        }
    }

    /// Begins a recording whose name contains the time.
    private func startAtLaunch() {
        var seconds = time(nil)
        var date = tm()
        gmtime_r(&seconds, &date)
        var name = [CChar](repeating: 0, count: 64)
        strftime(&name, name.count, "waymark-%Y%m%dT%H%M%SZ.mcap", &date)
        do throws(RecordingInterface.Failure) {
            let name = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            try start(name: name, isAtLaunch: true) { result in
                if case .failure(let failure) = result { Log.error("recording.at_start: \(failure.text)") }
            }
        } catch {
            Log.error("recording.at_start: \(error.text)")
        }
    }

    /// Ends the recording; `completion` is called on the reactor when the file is complete.
    func stop(_ completion: @escaping (Outcome) -> Void) throws(RecordingInterface.Failure) {
        guard case .recording(let writer) = state else {
            defer { unaskedEnd = nil }
            throw unaskedEnd ?? .notRecording
        }
        // The remaining entries may fill many chunks on a slow card; the reactor does not wait for them.
        close()
        state = .finishing(writer, completion: completion)
        writer.requestFinish()
        if writer.isOfCaller { giveUpLater(writer) }
    }

    /// Asks the recording to end before the daemon does, without waiting for it.
    func requestEnd() {
        close()
        state.writer?.requestFinish()
    }

    /// Ends the recording before the daemon ends. Waits for it no longer than a clean end may take.
    func end(_ budget: TimeBudget) {
        guard let writer = state.writer else { return }
        close()
        let counts = writer.finish(timeoutSeconds: budget.secondsLeft)
        if writer.hasEnded {
            Log.notice("\(title) finished at daemon stop: \(counts.messages) messages")
        } else {
            Log.warning("\(title) is incomplete: the disk did not respond in time")
        }
        becomeIdle()
    }

    private func woken() {
        wake.clear()
        switch state {
        case .idle: return
        case .beginning(let writer, let completion): begun(writer, completion)
        case .recording(let writer):
            guard let failure = writer.failure else { return }
            Log.error("\(title) stopped early; the part written so far can be replayed: \(failure.reason)")
            unaskedEnd = RecordingInterface.Failure(path: writer.path, failure)
            becomeIdle()
        case .finishing(let writer, let completion):
            guard writer.hasEnded else { return }
            becomeIdle()
            Log.notice("\(title) finished: \(writer.counts.messages) messages")
            completion(Outcome(path: writer.path, counts: writer.counts, failure: writer.failure))
        }
    }

    private func begun(_ writer: RecordingWriter, _ completion: (Result<String, RecordingInterface.Failure>) -> Void) {
        if let failure = writer.failure {
            becomeIdle()
            completion(.failure(RecordingInterface.Failure(path: writer.path, failure)))
        } else if writer.hasBegun {
            stopPatience()
            state = .recording(writer)
            unaskedEnd = nil
            Log.notice("\(title) started")
            completion(.success(writer.path))
        }
    }

    /// Stops accepting entries and journal lines.
    private func close() {
        sink = nil
        Log.listener.withLock { $0 = nil }
    }

    private func becomeIdle() {
        stopPatience()
        state = .idle
        close()
    }

    private func place(of name: String) throws(RecordingInterface.Failure) -> String {
        do throws(RecordingPath.Refusal) {
            return try RecordingPath(name: name, directory: settings.directory).full
        } catch {
            throw .cannotRecord(path: name, reason: error.reason)
        }
    }
}

extension RecordedLine {
    fileprivate init(_ priority: Log.Priority, _ text: String) {
        let level: Level =
            switch priority {
            case .error: .error
            case .warning: .warning
            case .notice, .info: .info
            case .debug: .debug
            }
        self.init(level, text)
    }
}

extension RecordingError {
    /// The writer's error without the path.
    fileprivate var reason: String {
        if case .cannotWrite(_, let reason) = self { reason } else { "\(self)" }
    }
}

extension RecordingInterface.Failure {
    init(path: String, _ error: RecordingError) { self = .cannotRecord(path: path, reason: error.reason) }

    /// Text for the journal.
    fileprivate var text: String {
        switch self {
        case .alreadyRecording(let path): "already recording \(path)"
        case .notRecording: "no recording is running"
        case .cannotRecord(let path, let reason): "cannot record \(path): \(reason)"
        }
    }
}
