import Glibc
import Linux
import Configuration
import WaymarkClient

/// `waymark record`: requests a recording into a file that this program opened.
extension Command {
    private static let duration = Option.duration(
        "duration", in: 0.1...Deadline.maximumSeconds, help: "Stop after TIME: 90s, 5min, 1h or a number of seconds")
    private static let poses = Option.number(
        "poses", value: "HZ", in: 0...1000, help: "Record HZ poses per second instead of 10; 0 records every pose")

    static let record = Command(
        "record", "Record measurements and poses to a new MCAP file until Ctrl-C.", operands: [Operand("FILE")],
        options: [duration, poses],
        notes: "FILE is created for you alone and must not exist yet. 'waymark replay FILE' replays it."
    ) { options in
        let path = options.operands[0]
        let client = try Waymark.Client()
        // From here on signals are read from a descriptor, so that none ends the program between start and stop.
        let signals = try SignalDescriptor.ofInterruption()
        try start(client, path, poseRate: options[poses])
        let deadline = Deadline(seconds: options[duration])
        let recording: Waymark.Recording
        do {
            let ended = try follow(client, until: deadline, signals)
            guard !ended else { throw earlyEnd(client) }
            recording = try client.stopRecording()
        } catch WaymarkError.disconnected {
            throw CommandError(
                code: .unreachable,
                description: "the daemon closed the connection: the recording so far is in \(path); see "
                    + "`systemctl status waymarkd`")
        }
        // Drops repeated signals, which have been obeyed by now.
        while signals.next() != nil {}
        try Terminal.print(StatusText.recording(recording) + "\n")
        return .done
    }

    /// Error that says why the recording ended early. The daemon reports the reason when a finished recording is
    /// stopped.
    private static func earlyEnd(_ client: Waymark.Client) -> any Error {
        do {
            _ = try client.stopRecording()
        } catch {
            if error != .recording(.notRecording) { return error }
        }
        return CommandError.failed("the daemon ended the recording early; for the reason see 'journalctl -u waymarkd'")
    }

    private static func start(_ client: Waymark.Client, _ path: String, poseRate: Double?) throws {
        // Readable by the owner only, like the recordings of the daemon: a recording contains positions.
        let file = try NewFile.createForDaemon(path, O_RDWR, mode: 0o600)
        defer { close(file) }
        do {
            try client.startRecording(descriptor: file, name: path, poseRate: poseRate)
        } catch {
            // The daemon may have started the recording even though its answer was too late.
            if error == .timedOut || error == .disconnected { stopAbandoned(path) }
            // Nothing was written, and an empty file would only prevent the next attempt.
            unlink(path)
            throw error
        }
    }

    /// Ends a recording into this file, which would otherwise continue after the command has ended.
    private static func stopAbandoned(_ path: String) {
        guard let client = try? Waymark.Client(), (try? client.status())?.recording?.path == path else { return }
        _ = try? client.stopRecording()
    }

    /// Shows the counts until a signal arrives, the deadline passes, or the recording ends by itself; returns true in
    /// the last case.
    private static func follow(
        _ client: Waymark.Client, until deadline: Deadline, _ signals: SignalDescriptor
    ) throws -> Bool {
        let progress = ProgressLine()
        defer { progress.end() }
        while !deadline.hasPassed {
            let pause = min(deadline.left ?? .seconds(1), .seconds(1))
            guard try !signals.arrives(within: pause) else { break }
            guard let recording = try client.status().recording else { return true }
            progress.show(StatusText.recording(recording))
        }
        return false
    }
}

extension SignalDescriptor {
    /// Signals that end a long-running command: SIGINT, SIGTERM and, unless ignored by nohup(1), SIGHUP.
    static func ofInterruption() throws(SystemError) -> SignalDescriptor {
        try SignalDescriptor([SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP]))
    }

    /// Waits for one of the signals; false if none arrives in time.
    func arrives(within time: Duration) throws(SystemError) -> Bool {
        let nanoseconds = time.components.seconds * 1_000_000_000 + time.components.attoseconds / 1_000_000_000
        guard try Waiting.wait(descriptor, events: POLLIN, until: Reactor.now + nanoseconds) == .ready else {
            return false
        }
        return next() != nil
    }
}
