import Configuration
import Linux

/// Program that runs as a service: its command line, from the arguments to the exit code.
package struct ServiceProgram: Sendable {
    /// Name by which the common executable selects the program.
    package let name: String
    private let makeSyntax: @Sendable () -> Syntax
    private let body: @Sendable (ParsedOptions) throws -> Void

    package static let all: [ServiceProgram] = [.daemon, .bridge, .mqtt, .beacon, .voice]

    /// Makes a program. Its syntax is made when it runs, because every process looks for its program in `all`.
    ///
    /// - Parameter body: runs until a signal ends the program.
    init(
        _ name: String, _ summary: String, options: @autoclosure @escaping @Sendable () -> [any OptionDeclaration],
        common: @autoclosure @escaping @Sendable () -> [any OptionDeclaration] = [DaemonSocket.option],
        notes: @autoclosure @escaping @Sendable () -> String,
        body: @escaping @Sendable (ParsedOptions) throws -> Void
    ) {
        (self.name, self.body) = (name, body)
        makeSyntax = {
            Syntax(
                name: name, summary: summary, options: options(), common: common(), notes: notes(),
                version: Program.version)
        }
    }

    /// Exit codes of the services. 78 is EX_CONFIG of sysexits.h. After that code a unit does not restart its service.
    private enum ExitCode {
        static let done: Int32 = 0
        static let failed: Int32 = 1
        static let usage: Int32 = 2
        static let configuration: Int32 = 78
    }

    /// Error of a service: a mistake in the settings if `isOfSettings`, otherwise a failure of the computer.
    protocol Problem: Error {
        var isOfSettings: Bool { get }
    }

    /// Runs the program to its end.
    ///
    /// - Parameter arguments: arguments after the program's name.
    /// - Returns: the exit code.
    package func run(_ arguments: [String]) -> Int32 {
        do {
            let options = try makeSyntax().parse(arguments)
            if let answer = options.answer { print(answer, terminator: "") } else { try body(options) }
            return ExitCode.done
        } catch let error as UsageError {
            Terminal.complain("\(error)")
            return ExitCode.usage
        } catch let error as Misuse {
            Terminal.complain("\(UsageError(message: error.message, program: name))")
            return ExitCode.usage
        } catch let error as ConfigurationError {
            Terminal.complain("\(error)")
            return ExitCode.configuration
        } catch let error as any Problem {
            Terminal.complain("\(name): \(error)")
            return error.isOfSettings ? ExitCode.configuration : ExitCode.failed
        } catch {
            Log.error("\(name): \(error)")
            return ExitCode.failed
        }
    }

    /// Runs a service under the service manager, with its status line and watchdog.
    ///
    /// - Parameters:
    ///   - statusLine: returns a description of the service's current activity.
    ///   - run: runs the service to its end, and calls the heartbeat at the given interval, in nanoseconds; nil for no
    ///     heartbeat.
    static func supervise(
        _ statusLine: @autoclosure @escaping () -> String,
        run: (_ interval: Int64?, _ heartbeat: @escaping () -> Void) throws -> Void
    ) rethrows {
        let notifier = ServiceNotifier()
        notifier.protectMemory()
        notifier.ready(status: statusLine())
        defer { notifier.stopping() }
        try run(notifier.watchdogInterval.map { $0 / 3 }) {
            notifier.status(statusLine())
            notifier.watchdog()
        }
    }

    /// Prints the answer to `--check-config` if the settings are valid.
    static func report(_ configuration: Configuration) {
        print("settings are valid" + (configuration.files.isEmpty ? ": compiled defaults" : ""))
        for file in configuration.files { print("read \(file)") }
    }
}
