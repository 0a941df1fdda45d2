import Configuration
import Estimation
import Glibc
import Linux
import Measurements
import Recording

/// The one recording that the daemon makes at a time: begun, fed, ended, and given up when the disk fails.
final class RecordingControl {
    /// What came of a recording that has ended.
    struct Outcome: Sendable {
        let path: String
        let counts: RecordingWriter.Counts
        let failure: RecordingError?
    }

    private enum State {
        case idle
        case recording(RecordingWriter)
        /// Its thread writes what is left.
        case finishing(RecordingWriter, completion: (Outcome) -> Void)
    }

    private var state = State.idle
    /// The file that somebody else opened, to ask how much room there is beside it.
    private var handedFile: OwnedDescriptor?
    /// Why the last recording ended unasked; told once, to whoever wants to end it.
    private var unaskedEnd: RecordingRefusal?
    private var settings: Configuration.Recording
    /// Signalled from the recording's thread when it ends.
    private let wake = EventDescriptor()

    init(reactor: Reactor, settings: Configuration.Recording) throws(SystemError) {
        self.settings = settings
        try reactor.watch(wake.descriptor, .reading) { [unowned self] _ in woken() }
    }

    func apply(_ settings: Configuration.Recording) { self.settings = settings }

    /// The recording that goes on; nil without one.
    var present: RecordingMessage? {
        guard case .recording(let writer) = state else { return nil }
        let counts = writer.counts
        return RecordingMessage(
            path: writer.path, messages: counts.messages, bytes: counts.bytes, dropped: counts.dropped)
    }

    // MARK: what passes

    func take(_ measurement: Measurement) {
        guard case .recording(let writer) = state else { return }
        writer.offer(measurement, at: BootTime(nanoseconds: BootClock.nanoseconds))
    }

    func take(_ pose: PoseEstimate, sequence: UInt64) {
        guard case .recording(let writer) = state else { return }
        writer.offer(pose, sequence: sequence, at: BootTime(nanoseconds: BootClock.nanoseconds))
    }

    func take(_ frame: FrameEstimate, sequence: UInt64) {
        guard case .recording(let writer) = state else { return }
        writer.offer(frame, sequence: sequence, at: BootTime(nanoseconds: BootClock.nanoseconds))
    }

    // MARK: start and end

    /// Records into a new file in the recording directory.
    ///
    /// - Returns: the file's full path.
    func start(name: String) throws(RecordingRefusal) -> String {
        try requireIdle()
        let path = try place(of: name)
        // Made on demand, so that a fresh state directory needs no preparation; what is wrong with it, the writer says.
        mkdir(settings.directory, 0o750)
        try requireRoom(path: path)
        do throws(RecordingError) {
            begin(try RecordingWriter(path: path) { [wake] in wake.signal() })
        } catch {
            throw .impossible(path: path, error)
        }
        return path
    }

    /// Records from the first measurement on, under a name that tells the time.
    func startAtLaunch() {
        var seconds = time(nil)
        var date = tm()
        gmtime_r(&seconds, &date)
        var name = [CChar](repeating: 0, count: 64)
        strftime(&name, name.count, "waymark-%Y%m%dT%H%M%SZ.mcap", &date)
        do throws(RecordingRefusal) {
            _ = try start(name: name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
        } catch {
            Log.error("recording.at_start: \(error)")
        }
    }

    /// Records into a file that the caller opened.
    func start(name: String, file descriptor: OwnedDescriptor) throws(RecordingRefusal) -> String {
        try requireIdle()
        guard let copy = try? descriptor.duplicate() else {
            throw .impossible(path: name, reason: "no descriptor is left")
        }
        handedFile = descriptor
        do throws(RecordingRefusal) {
            try requireRoom(path: name)
            begin(try RecordingWriter.into(File(owning: copy), name: name) { [wake] in wake.signal() })
        } catch {
            handedFile = nil
            throw error
        }
        return name
    }

    /// Ends the recording; `completion` is called on the reactor when the file is complete.
    func stop(_ completion: @escaping (Outcome) -> Void) throws(RecordingRefusal) {
        guard case .recording(let writer) = state else {
            defer { unaskedEnd = nil }
            throw unaskedEnd ?? .notRecording
        }
        // What is left may be many chunks on a slow card: the reactor does not wait for it.
        state = .finishing(writer, completion: completion)
        writer.requestFinish()
    }

    /// Ends the recording before the daemon does, and waits for it as long as a clean end may take.
    func stopNow(timeoutSeconds: Double) {
        switch state {
        case .idle: return
        case .recording(let writer), .finishing(let writer, _):
            let counts = writer.finish(timeoutSeconds: timeoutSeconds)
            Log.notice("recording \(writer.path) ended with the daemon: \(counts.messages) messages")
            becomeIdle()
        }
    }

    /// Gives the recording up while there is still room for others; to be called now and then.
    func watchRoom() {
        guard case .recording(let writer) = state, !hasRoom else { return }
        Log.error("recording \(writer.path) ends: \(lackOfRoom)")
        try? stop { _ in }
        unaskedEnd = .impossible(path: writer.path, reason: lackOfRoom)
    }

    private func begin(_ writer: RecordingWriter) {
        state = .recording(writer)
        unaskedEnd = nil
        Log.notice("recording \(writer.path) begins")
    }

    private func woken() {
        wake.clear()
        switch state {
        case .idle: return
        case .recording(let writer):
            guard let failure = writer.failure else { return }
            Log.error("recording ended, what was written until then can be replayed: \(failure)")
            unaskedEnd = .impossible(path: writer.path, failure)
            becomeIdle()
        case .finishing(let writer, let completion):
            guard writer.hasEnded else { return }
            becomeIdle()
            Log.notice("recording \(writer.path) ended: \(writer.counts.messages) messages")
            completion(Outcome(path: writer.path, counts: writer.counts, failure: writer.failure))
        }
    }

    private func becomeIdle() {
        state = .idle
        handedFile = nil
    }

    private func place(of name: String) throws(RecordingRefusal) -> String {
        do throws(RecordingPath.Refusal) {
            return try RecordingPath(name: name, directory: settings.directory).full
        } catch {
            throw .impossible(path: name, reason: error.reason)
        }
    }

    private func requireIdle() throws(RecordingRefusal) {
        switch state {
        case .idle: return
        case .recording(let writer), .finishing(let writer, _): throw .alreadyRecording(path: writer.path)
        }
    }

    private func requireRoom(path: String) throws(RecordingRefusal) {
        guard !hasRoom else { return }
        throw .impossible(path: path, reason: lackOfRoom)
    }

    private var lackOfRoom: String {
        "less than \(settings.minimumFreeMegabytes) MB are free; make room or lower recording.minimum_free_megabytes"
    }

    /// A place that cannot be asked is left to the writer, which knows what is wrong with it.
    private var hasRoom: Bool {
        var information = statvfs()
        let result =
            if let handedFile { fstatvfs(handedFile.descriptor, &information) } else {
                statvfs(settings.directory, &information)
            }
        guard result == 0 else { return true }
        let free = UInt64(information.f_bavail) * UInt64(information.f_frsize)
        return free >= UInt64(settings.minimumFreeMegabytes) << 20
    }
}

extension RecordingRefusal {
    /// With the writer's own reason, without saying the path twice.
    static func impossible(path: String, _ error: RecordingError) -> RecordingRefusal {
        guard case .cannotWrite(_, let reason) = error else { return .impossible(path: path, reason: "\(error)") }
        return .impossible(path: path, reason: reason)
    }
}

extension RecordingWriter {
    fileprivate static func into(
        _ file: consuming File, name: String, onEnd: @escaping @Sendable () -> Void
    ) throws(RecordingRefusal) -> RecordingWriter {
        do throws(RecordingError) {
            return try RecordingWriter(path: name, file: file, onEnd: onEnd)
        } catch {
            throw .impossible(path: name, error)
        }
    }
}
