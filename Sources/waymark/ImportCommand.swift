import Display
import Options
import Recording

/// `waymark import`: a folder of sensor tables into one MCAP file.
enum ImportCommand: Command {
    static let word = "import"

    static let syntax: Syntax = syntax(
        "Convert a folder of sensor tables to an MCAP recording.", operands: [Operand("FOLDER"), Operand("FILE.mcap")],
        usesDaemon: false,
        notes: """
            FOLDER contains imu.csv and, optionally, mag.csv, baro.csv and gnss.csv, each plain or with .gz.
            In an optional meta.json, "magnetometer" states whether mag.csv is "calibrated" or "raw" (the default).
            FILE.mcap must not exist yet.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let (folder, file) = (options.operands[0], options.operands[1])
        let reader = try RecordingSource.open(folder)
        let progress = ProgressLine()
        defer { progress.end() }
        let counts = try RecordingImport.run(reader, to: file) { progress.show("\($0) measurements") }
        progress.end()
        for warning in reader.warnings { Terminal.complain("waymark import: warning: \(warning)") }
        if counts.dropped > 0 {
            Terminal.complain(
                "waymark import: warning: \(counts.dropped) non-finite measurements were skipped")
        }
        Terminal.complain("\(file): \(counts.messages) messages, \(Words.size(Int(clamping: counts.bytes)))")
        return .done
    }
}
