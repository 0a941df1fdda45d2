import Display
import Options
import Recording

/// `waymark recover`: what is whole of a damaged recording, as a new one.
enum RecoverCommand: Command {
    static let word = "recover"

    static let syntax: Syntax = syntax(
        "Copy what is whole of a damaged recording to a new one.",
        operands: [Operand("RECORDING"), Operand("FILE.mcap")], usesDaemon: false,
        notes: """
            RECORDING is an MCAP file, which is not changed. FILE.mcap must not exist yet.
            What is missing is printed: bytes, times since the start of the recording, and messages.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let (recording, path) = (options.operands[0], options.operands[1])
        let progress = ProgressLine()
        defer {
            progress.end()
            UnfinishedFile.end()
        }
        let outcome = try RecordingRecovery.run(recording, to: path) {
            // There is progress once the file is there.
            UnfinishedFile.begin(path)
            progress.show($1, "\($0) messages")
        }
        progress.end()
        for warning in outcome.warnings { Terminal.complain("waymark recover: warning: \(warning)") }
        let size = Words.size(Int(clamping: outcome.bytes))
        let whole = outcome.warnings.isEmpty ? "; nothing is missing" : ""
        Terminal.complain("\(path): \(outcome.messages) messages, \(size)\(whole)")
        return .done
    }
}
