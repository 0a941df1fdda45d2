import Configuration
import Documents
import Glibc
import Linux
import Model
import PlanMatching
import Recording
import Service
import WaymarkClient

extension Command {
    private static let output = Option.text(
        "output", short: "o", value: "FILE", help: "Write the poses to FILE as a CSV table; - is standard output")
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.001...100_000, help: "At most HZ rows per second (default: one row per sample)")

    private static let isServed = Flag(
        "serve", help: "Serve the poses in real time on the daemon's socket, in place of the daemon")

    static let replay = Command(
        "replay", "Re-run the estimator on a recording.", operands: [Operand("RECORDING")],
        options: [output, rate, GivenPlan.option, isServed],
        notes: "RECORDING is an MCAP file or a folder with imu.csv."
    ) { options in
        if options[isServed] { return try serve(options) }
        let started = BootClock.nanoseconds
        let plans = try options[GivenPlan.option].map(GivenPlan.library)
        let reader = try RecordingSource.open(options.operands[0])
        let summary: Replay.Summary
        do throws(RecordingError) {
            summary = try replay(reader, output: options[output], plans: plans, rate: options[rate])
        } catch {
            guard error == .cannotWrite(path: "-", reason: FileError(code: EPIPE).description) else { throw error }
            throw Terminal.Closed()
        }
        report(summary, warnings: reader.warnings, seconds: Double(BootClock.nanoseconds - started) * 1e-9)
        return .done
    }

    private static func serve(_ options: ParsedOptions) throws -> ExitCode {
        guard options[output] == nil, options[rate] == nil, options[GivenPlan.option] == nil else {
            throw Misuse(
                "--serve cannot be combined with --output, --rate or --plan: subscribers choose their rate, and the "
                    + "daemon has plans of its own")
        }
        let environment = DaemonEnvironment.replay(try RecordingSource.open(options.operands[0]))
        var configuration = Configuration()
        configuration.service.socket = socketPath
        configuration.service.changeGroup = ""
        configuration.state.warmStart = false
        let listener = try UnixListener(path: configuration.service.socket, mode: 0o600)
        try Daemon(configuration: configuration, environment: environment, listeners: [listener]).run()
        return .done
    }

    /// Path of the socket at which the replay serves clients: the path that the environment names, or else the system's
    /// path. The path at which a demonstration serves is not tried.
    private static var socketPath: String { environment("WAYMARK_SOCKET") ?? Waymark.Client.systemPath }

    private static func replay(
        _ reader: any MeasurementReader, output: String?, plans: PlanLibrary?, rate: Double?
    ) throws(RecordingError) -> Replay.Summary {
        var progress = ReplayProgress(reader)
        defer { progress.end() }
        guard let output else { return try Replay.run(reader, plans: plans, rate: rate) { progress.show($0) } }
        var writer = PoseCSVWriter(path: output, file: try create(output))
        do throws(RecordingError) {
            let summary = try Replay.run(reader, plans: plans, rate: rate) { row throws(RecordingError) in
                try writer.write(row)
                progress.show(row)
            }
            try writer.finish()
            return summary
        } catch {
            // The rows before the flaw are useful, so they are kept.
            try? writer.finish()
            throw error
        }
    }

    private static func create(_ path: String) throws(RecordingError) -> File {
        do throws(FileError) {
            return path == "-" ? File(owning: dup(STDOUT_FILENO)) : try File.createOrReplace(path, mode: 0o600)
        } catch {
            throw .cannotWrite(path: path, reason: error.description)
        }
    }

    private static func report(_ summary: Replay.Summary, warnings: [String], seconds: Double) {
        for warning in warnings { Terminal.complain("waymark replay: warning: \(warning)") }
        let speed = seconds > 0 ? Int(summary.duration / seconds) : 0
        let state = summary.lastPose.map { "\($0.state)" } ?? "without a pose"
        Terminal.complain(
            "\(Int(summary.duration)) s, \(summary.measurements) measurements, \(summary.poses) poses, "
                + "\(summary.rows) rows, \(speed) times real time, \(state) at the end")
    }

    static let importTables = Command(
        "import", "Convert a folder of sensor tables to an MCAP recording.",
        operands: [Operand("FOLDER"), Operand("FILE.mcap")],
        usesDaemon: false,
        notes: """
            FOLDER contains imu.csv and, optionally, mag.csv, baro.csv and gnss.csv, each plain or with .gz.
            Optional as well are odometry.csv, positions.csv, sightings.csv, ranges.csv, headings.csv and
            heights.csv, with what other programs offer.
            In an optional meta.json, "magnetometer" states whether mag.csv is "calibrated" or "raw" (the default).
            FILE.mcap must not exist yet.
            """
    ) { options in
        let (folder, file) = (options.operands[0], options.operands[1])
        // The folder is first read up to the first fix, so that all times in the file can be UTC.
        let about = try RecordingAbout(of: try RecordingSource.open(folder))
        let reader = try RecordingSource.open(folder)
        let counts = try UnfinishedFile.make(file) { step in
            try RecordingImport.run(reader, to: file, about: about) { step(nil, "\($0) measurements") }
        }
        for warning in reader.warnings { Terminal.complain("waymark import: warning: \(warning)") }
        if counts.dropped > 0 {
            Terminal.complain(
                "waymark import: warning: \(counts.dropped) non-finite measurements were skipped")
        }
        Terminal.complain("\(file): \(counts.messages) messages, \(Words.size(Int(clamping: counts.bytes)))")
        return .done
    }
}

private struct ReplayProgress {
    private let reader: any MeasurementReader
    private let line = ProgressLine()
    private var start: BootTime?
    private var rows = 0

    /// Number of rows between two updates.
    private static let step = 10_000

    init(_ reader: any MeasurementReader) { self.reader = reader }

    mutating func show(_ row: ReplayRow) {
        let first = start ?? row.time
        start = first
        rows += 1
        if rows % Self.step == 0 { line.show(reader.fraction, "\(Int(row.time.seconds(since: first))) s") }
    }

    func end() { line.end() }
}
