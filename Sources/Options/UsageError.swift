/// Error for an invalid command line. Programs print it on standard error and exit with `exitCode`.
public struct UsageError: Error, CustomStringConvertible, Equatable {
    /// Exit status of every program of this package after a usage error.
    public static let exitCode: Int32 = 2

    /// What is wrong.
    public let message: String
    /// The program or command as typed, such as "waymark watch".
    public let program: String

    /// Combines a message with its program.
    public init(message: String, program: String) {
        self.message = message
        self.program = program
    }

    /// The message with its program, and a reference to `--help`.
    public var description: String { "\(program): \(message)\nTry '\(program) --help'." }
}
