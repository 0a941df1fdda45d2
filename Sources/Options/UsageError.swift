/// A command line that cannot be followed. Programs print it on standard error and end with `exitCode`.
public struct UsageError: Error, CustomStringConvertible, Equatable {
    /// What every program of this package ends with after a usage error.
    public static let exitCode: Int32 = 2

    public let message: String
    /// The program or command it was given to, such as "waymark watch".
    public let program: String

    public init(message: String, program: String) {
        self.message = message
        self.program = program
    }

    public var description: String { "\(program): \(message)\nTry '\(program) --help'." }
}
