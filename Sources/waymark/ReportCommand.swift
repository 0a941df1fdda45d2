import Display
import Estimation
import Linux
import Model
import Options
import Recording
import Report

/// `waymark report`: a recording as one page that shows both tracks and every correction.
enum ReportCommand: Command {
    static let word = "report"

    private static let output = Option.text(
        "output", short: "o", value: "FILE",
        help: "Write the page to FILE instead of ./RECORDING.html; - is "
            + "standard output")

    static let syntax: Syntax = syntax(
        "Plot a recording: both tracks, every correction and the estimated accuracy.",
        operands: [Operand("RECORDING")], options: [output], usesDaemon: false,
        notes: """
            RECORDING is an MCAP file or a folder with imu.csv; the estimator is re-run on it.
            The page is one self-contained HTML file. Existing files are not overwritten.
            """)

    /// Number of measurements between updates of the progress line.
    private static let step = 20_000

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let recording = options.operands[0]
        let path = options[output] ?? name(recording) + ".html"
        // Checked before the work, so that an unwritable file fails early.
        if path != "-" { try refuse(existing: path) }
        let (report, flaw) = report(try RecordingSource.open(recording), named: name(recording))
        let page = report.page()
        if path == "-" {
            try Terminal.print(String(decoding: page, as: UTF8.self))
        } else {
            try write(page, to: path)
            Terminal.complain("\(path): \(Words.size(page.count))")
        }
        if let flaw { throw flaw }
        return .done
    }

    /// What the recording gives before a flaw is worth a page, which says where it ends.
    private static func report(
        _ reader: any MeasurementReader, named name: String
    ) -> (report: WalkReport, flaw: RecordingError?) {
        let progress = ProgressLine()
        var replay = ReportReplay(title: name)
        var flaw: RecordingError?
        do throws(RecordingError) {
            try feed(reader, to: &replay, progress)
        } catch {
            flaw = error
        }
        progress.end()
        for warning in reader.warnings { Terminal.complain("waymark report: warning: \(warning)") }
        return (replay.finish(warnings: reader.warnings + [flaw].compactMap { $0?.description }), flaw)
    }

    private static func feed(
        _ reader: any MeasurementReader, to replay: inout ReportReplay, _ progress: ProgressLine
    ) throws(RecordingError) {
        var count = 0
        while let measurement = try reader.next() {
            reader.restoreState { state throws(EstimatorStateProblem) in try replay.restore(state) }
            if let start = reader.warmStart { replay.prepare(start) }
            replay.feed(measurement)
            count += 1
            if count % step == 0 { progress.show("\(count) measurements, \(Int(replay.duration)) s") }
        }
    }

    /// The last part of the path, without `.mcap`.
    private static func name(_ recording: String) -> String {
        let last = recording.split(separator: "/").last.map(String.init) ?? "recording"
        if last == "." || last == ".." { return "recording" }
        return last.hasSuffix(".mcap") && last.utf8.count > 5 ? String(last.dropLast(5)) : last
    }

    private static func refuse(existing path: String) throws(CommandError) {
        guard (try? File.status(of: path)) == nil else { throw exists(path) }
    }

    private static func exists(_ path: String) -> CommandError {
        .failed("\(path) already exists: remove it, or choose another name with --output")
    }

    private static func write(_ page: [UInt8], to path: String) throws(CommandError) {
        do throws(FileError) {
            let file = try File.createNew(path, mode: 0o666)
            do throws(FileError) {
                try file.write(page)
            } catch {
                File.remove(path)
                throw error
            }
        } catch {
            throw error.isExisting ? exists(path) : .failed("cannot write \(path): \(error)")
        }
    }
}
