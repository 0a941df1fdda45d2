import Display
import Options
import Recording

/// `waymark import`: a folder of sensor tables into one MCAP file.
enum ImportCommand: Command {
    static let word = "import"

    static let syntax: Syntax = syntax(
        "Turns a folder of sensor tables into an MCAP recording.", operands: [Operand("FOLDER"), Operand("FILE.mcap")],
        usesDaemon: false,
        notes: """
            FOLDER holds imu.csv and, where there are some, mag.csv, baro.csv and gnss.csv, each plain or with .gz.
            In its meta.json, if there is one, the member "magnetometer" may be "calibrated" or "raw"; without it, it is raw.
            FILE.mcap is created; a file of that name that exists is left alone.
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
                "waymark import: warning: \(counts.dropped) measurements that are not finite were left out")
        }
        Terminal.complain("\(file): \(counts.messages) messages, \(Words.size(Int(clamping: counts.bytes)))")
        return .done
    }
}
