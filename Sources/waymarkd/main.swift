import Configuration
import Glibc
import Linux
import Options
import Service

/// Exit codes of the daemon; 78 is EX_CONFIG of sysexits.h, which the unit does not restart on.
enum ExitCode {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    static let configuration: Int32 = 78
}

StandardDescriptors.occupy()
exit(Launch(Array(CommandLine.arguments.dropFirst())).run())
