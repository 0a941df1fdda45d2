import Configuration
import Glibc
import Linux
import Options

/// What the programs that run as services have in common: how their errors become messages and exit codes.
enum ServiceProgram {
    /// 78 is EX_CONFIG of sysexits.h, on which their units do not restart them.
    private enum ExitCode {
        static let done: Int32 = 0
        static let failed: Int32 = 1
        static let usage: Int32 = 2
        static let configuration: Int32 = 78
    }

    /// An error that the settings are to be changed for, or something on the computer.
    protocol Problem: Error {
        var isOfSettings: Bool { get }
    }

    /// Runs a program to its end.
    ///
    /// - Returns: the exit code.
    static func run(_ name: String, _ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return ExitCode.done
        } catch let error as UsageError {
            Terminal.complain("\(error)")
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

    /// What `--check-config` answers for valid settings.
    static func report(_ configuration: Configuration) {
        print("settings are valid" + (configuration.files.isEmpty ? ": compiled defaults" : ""))
        for file in configuration.files { print("read \(file)") }
    }
}
