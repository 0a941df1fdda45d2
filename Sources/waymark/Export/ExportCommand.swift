import Display
import Linux
import Options
import Recording
import Tracks

/// `waymark export`: the track of a recording for other programs.
enum ExportCommand: Command {
    static let word = "export"

    private static let format = Option.choice(
        "format", of: TrackFormat.allCases.map(\.rawValue), help: "Format of the output (default: the ending of FILE)")
    private static let what = Option.choice(
        "what", of: RecordedTrack.Content.allCases.map(\.rawValue),
        help: "Published poses (default), fixes of the receiver, or poses of the estimator re-run on the recording")
    private static let output = Option.text(
        "output", short: "o", value: "FILE", help: "Write to FILE, which must not exist yet, instead of standard output"
    )
    private static let rate = Option.number(
        "rate", value: "HZ", in: 0.001...100_000,
        help: "At most HZ points per second (default: 1; all points for csv and tum)")

    static let syntax: Syntax = syntax(
        "Convert the track of a recording to the format of other programs.", operands: [Operand("RECORDING")],
        options: [format, what, output, rate], usesDaemon: false,
        notes: """
            RECORDING is an MCAP file or, unless published poses are exported, a folder with imu.csv.
            Heights of gpx, kml and nmea are above mean sea level; they need fixes with a geoid separation.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        guard let format = options[format].flatMap(TrackFormat.init) ?? ending(options[output]) else {
            let all = TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw usageError("--format is needed where no --output has its ending: one of \(all)")
        }
        let content = options[what].flatMap(RecordedTrack.Content.init) ?? .fused
        if format == .tum, content == .receiver {
            throw usageError("fixes of a receiver have no orientation, which the format tum needs")
        }
        try TrackFile(
            recording: options.operands[0], content: content, format: format,
            rate: options[rate] ?? format.defaultRate, output: options[output] ?? "-"
        ).write()
        return .done
    }

    /// Format that a file's name ends in, such as `walk.gpx`.
    private static func ending(_ path: String?) -> TrackFormat? {
        path?.split(separator: ".").last.flatMap { TrackFormat(rawValue: $0.lowercased()) }
    }
}
