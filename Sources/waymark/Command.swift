import Options

/// What can stand behind `waymark`: one word, or two for the commands of a group, such as `route set`.
protocol Command: Sendable {
    static var word: String { get }
    static var syntax: Syntax { get }
    /// Does what the command is for.
    /// - Throws: `CommandError`; anything else thrown is printed as a failure.
    static func run(_ options: ParsedOptions) throws -> ExitCode
}

extension Command {
    /// As the shell hands them over.
    static var words: [String] { word.split(separator: " ").map(String.init) }

    /// The syntax of a command: its name and the options that all commands share are put in.
    static func syntax(
        _ summary: String, operands: [Operand] = [], options: [any OptionDeclaration] = [],
        usesDaemon: Bool = true, notes: String = ""
    ) -> Syntax {
        Syntax(
            name: "waymark \(word)", summary: summary, operands: operands, options: options,
            common: usesDaemon ? [DaemonSocket.option] : [], notes: notes)
    }

    /// The error for options or operands that do not go together.
    static func usageError(_ message: String) -> UsageError {
        UsageError(message: message, program: "waymark \(word)")
    }
}

/// Why a command ended without having done its work. The text goes to standard error and says what to do.
struct CommandError: Error, CustomStringConvertible {
    let code: ExitCode
    let description: String

    static func failed(_ message: String) -> CommandError { CommandError(code: .failed, description: message) }
    static func timedOut(_ message: String) -> CommandError { CommandError(code: .timedOut, description: message) }
}
