import Configuration
import Glibc
import Linux
import WaymarkClient

/// Command of `waymark`: one word, or two for the commands of a group, such as `route set`.
protocol Command: Sendable {
    static var word: String { get }
    static var syntax: Syntax { get }
    /// Runs the command.
    /// - Throws: `CommandError`; other errors are printed as a failure.
    static func run(_ options: ParsedOptions) throws -> ExitCode
}

extension Command {
    /// Words as the shell passes them.
    static var words: [String] { word.split(separator: " ").map(String.init) }

    /// The syntax of a command, completed by its name and the options that all commands share.
    static func syntax(
        _ summary: String, operands: [Operand] = [], options: [any OptionDeclaration] = [],
        usesDaemon: Bool = true, notes: String = ""
    ) -> Syntax {
        Syntax(
            name: "waymark \(word)", summary: summary, operands: operands, options: options,
            common: usesDaemon ? [DaemonSocket.option] : [], notes: notes)
    }

    /// The error for options or operands that exclude each other.
    static func usageError(_ message: String) -> UsageError {
        UsageError(message: message, program: "waymark \(word)")
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

/// Socket of the daemon: `--socket`, else as found by the client library.
enum DaemonSocket {
    static let option = Option.text(
        "socket", value: "PATH", help: "Socket of the daemon (default: $WAYMARK_SOCKET or /run/waymark/waymark.sock)")

    /// Sets `path` for this run: the client library reads the environment.
    static func choose(_ path: String) { setenv("WAYMARK_SOCKET", path, 1) }

    /// Path from the environment, else from the settings; if these have the default, a demonstration's socket may be
    /// used.
    static func path(_ settings: Configuration.Service) -> String {
        let isUsual = settings.socket == Waymark.Client.systemPath
        return environment("WAYMARK_SOCKET") ?? (isUsual ? Waymark.Client.defaultPath : settings.socket)
    }

    /// Sets the used path in the settings of a program that connects, with the pose ring beside it.
    static func apply(_ options: ParsedOptions, to settings: inout Configuration.Service) {
        let path = options[option] ?? path(settings)
        if path != settings.socket { settings.poseRingSocket = "" }
        settings.socket = path
    }

    /// Interval of attempts to connect. Unit: microseconds.
    private static let pauseMicroseconds: UInt32 = 50_000

    /// Connects to a daemon that may be starting: retries until one listens, or the time is over.
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

/// Time at which a command gives up; without one it waits forever.
package struct Deadline: Sendable {
    /// Time on CLOCK_BOOTTIME; nil for never. Unit: nanoseconds.
    let nanoseconds: Int64?

    init(seconds: Double?) {
        nanoseconds = seconds.map { BootClock.nanoseconds + Int64($0 * 1e9) }
    }

    /// No deadline.
    package static let never = Deadline(seconds: nil)

    var hasPassed: Bool { nanoseconds.map { BootClock.nanoseconds >= $0 } ?? false }

    /// Remaining time; nil without a deadline.
    var left: Duration? { nanoseconds.map { .nanoseconds(max(0, $0 - BootClock.nanoseconds)) } }

    /// The earlier of two deadlines.
    func orEarlier(_ other: Deadline) -> Deadline {
        (nanoseconds ?? .max) <= (other.nanoseconds ?? .max) ? self : other
    }

    /// Longest timeout: a day. Unit: seconds.
    static let maximumSeconds = 86_400.0
}
