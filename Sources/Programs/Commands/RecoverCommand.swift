import Configuration
import Recording

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
        let outcome = try UnfinishedFile.make(path) { step in
            try RecordingRecovery.run(options.operands[0], to: path) { step($1, "\($0) messages") }
        }
        for warning in outcome.warnings { Terminal.complain("waymark recover: warning: \(warning)") }
        let size = Words.size(Int(clamping: outcome.bytes))
        Terminal.complain("\(path): \(outcome.messages) messages, \(size)\(rest(outcome))")
        return .done
    }

    /// Describes the content that was not copied and that no warning reports.
    private static func rest(_ outcome: RecordingRecovery.Outcome) -> String {
        switch outcome.others {
        case 0: outcome.warnings.isEmpty ? "; nothing is missing" : ""
        case 1: "; 1 message of other topics was not copied"
        default: "; \(outcome.others) messages of other topics were not copied"
        }
    }
}
