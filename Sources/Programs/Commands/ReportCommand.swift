import Model
import Configuration
import PlanMatching
import Engine
import Recording
import Pages

extension Command {
    private static let output = Option.text(
        "output", short: "o", value: "FILE",
        help: "Write the page to FILE instead of ./RECORDING.html; - is "
            + "standard output")

    static let report = Command(
        "report", "Plot a recording, or two beside each other: tracks, corrections, accuracies, sensors.",
        operands: [Operand("RECORDING"), Operand("SECOND", optional: true)], options: [output, GivenPlan.option],
        usesDaemon: false,
        notes: """
            RECORDING is an MCAP file or a folder with imu.csv; the estimator is re-run on it and
            drawn beside the poses that were published. With SECOND the page compares both recordings.
            The page is one self-contained HTML file. Existing files are not overwritten.
            """
    ) { options in
        let recordings = options.operands
        let path = options[output] ?? recordings.map(name).joined(separator: "-") + ".html"
        // Checked first, so that an unwritable file fails early.
        try NewFile.refuse(existing: path, hint: hint)
        let plans = try options[GivenPlan.option].map(GivenPlan.library)
        // An invalid second recording is refused before the first is replayed.
        let sources = try recordings.map { try ReportSource(path: $0) }
        let results = zip(sources, titles(recordings)).map { report($0, named: $1, plans) }
        let page =
            results.count > 1
            ? ReportPage(results[0].report, results[1].report).bytes() : ReportPage(results[0].report).bytes()
        try NewFile.write(page, to: path, mode: 0o600, hint: hint)
        if path != "-" { Terminal.complain("\(path): \(Words.size(page.count))") }
        if let flaw = results.lazy.compactMap(\.flaw).first { throw flaw }
        return .done
    }

    /// Number of messages between updates of the progress line.
    private static let step = 20_000

    /// Returns the names of the recordings. Two equal names are numbered.
    private static func titles(_ recordings: [String]) -> [String] {
        let names = recordings.map(name)
        guard names.count > 1, names[0] == names[1] else { return names }
        return names.enumerated().map { "\($1) (\($0 + 1))" }
    }

    /// Replays a recording. If it has a flaw, the part before the flaw still gives a report, which mentions the flaw.
    private static func report(
        _ source: ReportSource, named name: String, _ plans: PlanLibrary?
    ) -> (report: WalkReport, flaw: RecordingError?) {
        let progress = ProgressLine()
        var replay = ReportReplay(title: name)
        if let plans { replay.use(plans) }
        var flaw: RecordingError?
        var count = 0
        do throws(RecordingError) {
            while try source.feed(&replay, usesPlans: plans == nil) {
                count += 1
                if count % step == 0 { progress.show("\(name): \(count) messages, \(Int(replay.duration)) s") }
            }
        } catch {
            flaw = error
        }
        progress.end()
        replay.origin = source.origin
        for warning in source.warnings { Terminal.complain("waymark report: warning: \(warning)") }
        return (replay.finish(warnings: source.warnings + [flaw].compactMap { $0?.description }), flaw)
    }

    /// The last part of the path, without `.mcap`.
    private static func name(_ recording: String) -> String {
        [".", ".."].contains(recording.lastPathPart) ? "recording" : recording.recordingName
    }

    private static let hint = " with --output"
}

/// A recording of either kind, read once: a file, which may contain published poses, or tables, which contain only
/// measurements.
private struct ReportSource {
    private let reader: any MeasurementReader
    /// The reader of a file; nil for tables.
    private let file: RecordingReader?

    init(path: String) throws(RecordingError) {
        reader = try RecordingSource.open(path)
        file = reader as? RecordingReader
    }

    /// Program that made the recording; certain only after the whole recording was read.
    var origin: String? { file?.about?.origin }

    var warnings: [String] { reader.warnings }

    /// Passes the next message on to the replay; false at the end.
    ///
    /// - Parameter usesPlans: whether the plans of the recording are used.
    func feed(_ replay: inout ReportReplay, usesPlans: Bool) throws(RecordingError) -> Bool {
        guard let file else {
            guard let measurement = try reader.next() else { return false }
            if let start = reader.warmStart { replay.prepare(start) }
            replay.feed(measurement)
            return true
        }
        guard let entry = try file.nextEntry() else { return false }
        switch entry {
        case .measurement(let measurement):
            // Like every reader, uses the plans and restores the state before the next measurement.
            if usesPlans { file.usePlans { replay.use($0) } }
            file.restoreState { state throws(EstimatorStateProblem) in try replay.restore(state) }
            replay.feed(measurement)
        case .pose(let pose): replay.feed(published: pose)
        case .frame(let frame): replay.feed(published: frame)
        case .warmStart(let start): replay.prepare(start)
        case .estimatorState, .plans: break
        }
        return true
    }
}
