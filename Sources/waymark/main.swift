import Glibc
import Linux

StandardDescriptors.occupy()
let arguments = Array(CommandLine.arguments.dropFirst())

// One executable is both programs, so that a board carries Swift's runtime and the core once: `waymarkd` is a link to
// it.
if CommandLine.arguments.first?.split(separator: "/").last == DaemonProgram.name[...] {
    exit(DaemonProgram(arguments).run())
}

// A closed pipe is detected by the error of write, so that `waymark watch | head` can end quietly.
signal(SIGPIPE, SIG_IGN)
// A file that grows beyond its limit likewise, so that `waymark import` can say so and clean up.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(arguments).rawValue)
