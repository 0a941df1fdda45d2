import Configuration
import Recording

/// `waymark recover`: copies the intact part of a damaged recording to a new one.
extension Command {
    static let recover = Command(
        "recover", "Copy what is whole of a damaged recording to a new one.",
        operands: [Operand("RECORDING"), Operand("FILE.mcap")], usesDaemon: false,
        notes: """
            RECORDING is an MCAP file, which is not changed. FILE.mcap must not exist yet.
            What is missing is printed: bytes, times since the start of the recording, and messages.
            """
    ) { options in
        let path = options.operands[1]
        let outcome = try recover(options.operands[0], to: path)
        for warning in outcome.warnings { Terminal.complain("waymark recover: warning: \(warning)") }
        let size = Words.size(Int(clamping: outcome.bytes))
        Terminal.complain("\(path): \(outcome.messages) messages, \(size)\(rest(outcome))")
        return .done
    }

    private static func recover(_ recording: String, to path: String) throws -> RecordingRecovery.Outcome {
        let progress = ProgressLine()
        defer {
            UnfinishedFile.end()
            progress.end()
        }
        return try RecordingRecovery.run(recording, to: path) {
            // Progress is reported once the file has been created.
            UnfinishedFile.begin(path)
            progress.show($1, "\($0) messages")
        }
    }

    /// Content that was not copied, beyond the warnings.
    private static func rest(_ outcome: RecordingRecovery.Outcome) -> String {
        switch outcome.others {
        case 0: outcome.warnings.isEmpty ? "; nothing is missing" : ""
        case 1: "; 1 message of other topics was not copied"
        default: "; \(outcome.others) messages of other topics were not copied"
        }
    }
}
