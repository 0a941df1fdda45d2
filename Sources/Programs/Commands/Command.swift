import Configuration
import Glibc
import JSON
import Linux
import WaymarkClient

/// Command of `waymark`. Its name has one word, or two if it belongs to a group, such as `route set`.
struct Command: Sendable {
    let word: String
    let summary: String
    private let makeSyntax: @Sendable () -> Syntax
    /// Runs the command.
    /// - Throws: `CommandError`, `Misuse`; other errors are printed as a failure.
    let run: @Sendable (ParsedOptions) throws -> ExitCode

    /// Makes a command. Its syntax is made when it is needed, because a process runs one command of many.
    init(
        _ word: String, _ summary: String, operands: [Operand] = [],
        options: @autoclosure @escaping @Sendable () -> [any OptionDeclaration] = [], usesDaemon: Bool = true,
        notes: @autoclosure @escaping @Sendable () -> String = "",
        run: @escaping @Sendable (ParsedOptions) throws -> ExitCode
    ) {
        (self.word, self.summary, self.run) = (word, summary, run)
        makeSyntax = {
            Syntax(
                name: "waymark \(word)", summary: summary, operands: operands, options: options(),
                common: usesDaemon ? [DaemonSocket.option] : [], notes: notes())
        }
    }

    /// Syntax with the name of the program and, if the command uses a daemon, the option `--socket`.
    var syntax: Syntax { makeSyntax() }

    /// Words of the command, as the shell passes them.
    var words: [String] { word.split(separator: " ").map(String.init) }
}

/// Error in options or operands that the parser cannot detect, such as options that exclude each other. The program
/// adds the name of the command to the message.
struct Misuse: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension Flag {
    static let json = Flag("json", help: "Print one JSON object")
}

extension Option where Value == String {
    static var config: Self {
        .text("config", value: "FILE", help: "Configuration file (default: /etc/waymark/waymark.toml)")
    }
}

extension ParsedOptions {
    /// Prints a value as JSON if `--json` was given, otherwise as lines of text.
    func show(_ value: some JSONWritable, as lines: @autoclosure () -> [String]) throws -> ExitCode {
        try self[.json] ? Terminal.print(JSONText.line(value)) : Terminal.print(lines())
        return .done
    }
}

/// Reason why a command failed. The text goes to standard error and includes the remedy.
package struct CommandError: Error, CustomStringConvertible {
    package let code: ExitCode
    package let description: String

    static func failed(_ message: String) -> CommandError { CommandError(code: .failed, description: message) }
    static func timedOut(_ message: String) -> CommandError { CommandError(code: .timedOut, description: message) }
}

/// Exit status of the program; scripts rely on these numbers.
package enum ExitCode: Int32 {
    case done = 0
    case failed = 1
    case usage = 2
    case unreachable = 3
    case timedOut = 4
}

extension ExitCode {
    init(_ error: WaymarkError) {
        switch error {
        case .unreachable, .notASocket, .connectionDenied, .disconnected, .timedOut: self = .unreachable
        case .cancelled, .pose, .scene, .status, .recording, .calibration, .aid, .plan, .terrain, .service, .ringOff,
            .ringLimitReached, .ringOtherLayout, .ringOtherBoot, .unexpected:
            self = .failed
        }
    }
}

extension WaymarkError {
    /// Reason why the daemon has refused a document, with the path within the document; nil for other errors.
    var documentProblem: String? {
        switch self {
        case .scene(.invalidDocument(let path, let reason)), .plan(.invalidDocument(let path, let reason)),
            .terrain(.invalidDocument(let path, let reason)):
            path.isEmpty ? reason : "\(path): \(reason)"
        default: nil
        }
    }
}

/// Socket of the daemon: that of `--socket`, else the one that the client library finds.
enum DaemonSocket {
    static let option = Option.text(
        "socket", value: "PATH", help: "Socket of the daemon (default: $WAYMARK_SOCKET or /run/waymark/waymark.sock)")

    /// Uses `path` for this run, by setting the environment variable that the client library reads.
    static func choose(_ path: String) { setenv("WAYMARK_SOCKET", path, 1) }

    /// Returns the path from the environment, or else from the settings. If the settings have the default path and no
    /// socket is there, returns the path of a demonstration's socket if there is one.
    static func path(_ settings: Configuration.Service) -> String {
        let isUsual = settings.socket == Waymark.Client.systemPath
        return environment("WAYMARK_SOCKET") ?? (isUsual ? Waymark.Client.defaultPath : settings.socket)
    }

    /// Sets the socket's path in the settings of a program that connects to the daemon. If the path changes, the pose
    /// ring is expected beside the new socket.
    static func apply(_ options: ParsedOptions, to settings: inout Configuration.Service) {
        let path = options[option] ?? path(settings)
        if path != settings.socket { settings.poseRingSocket = "" }
        settings.socket = path
    }

    /// Interval between attempts to connect. Unit: microseconds.
    private static let pauseMicroseconds: UInt32 = 50_000

    /// Connects to a daemon that may be starting: retries until a daemon listens or `deadline` has passed.
    static func connect<Connection>(
        until deadline: Deadline, _ connect: () throws(WaymarkError) -> Connection
    ) throws(WaymarkError) -> Connection {
        while true {
            do throws(WaymarkError) {
                return try connect()
            } catch {
                guard case .unreachable = error, !deadline.hasPassed else { throw error }
                usleep(pauseMicroseconds)
            }
        }
    }
}

/// Time at which a command gives up; a command without such a time waits forever.
package struct Deadline: Sendable {
    /// Time on CLOCK_BOOTTIME; nil for never. Unit: nanoseconds.
    let nanoseconds: Int64?

    init(seconds: Double?) {
        nanoseconds = seconds.map { BootClock.nanoseconds + Int64($0 * 1e9) }
    }

    package static let never = Deadline(seconds: nil)

    var hasPassed: Bool { nanoseconds.map { BootClock.nanoseconds >= $0 } ?? false }

    /// Remaining time; nil without a deadline.
    var left: Duration? { nanoseconds.map { .nanoseconds(max(0, $0 - BootClock.nanoseconds)) } }

    func orEarlier(_ other: Deadline) -> Deadline {
        (nanoseconds ?? .max) <= (other.nanoseconds ?? .max) ? self : other
    }

    /// Longest timeout: a day. Unit: seconds.
    static let maximumSeconds = 86_400.0
}
