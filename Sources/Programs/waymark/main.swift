import Glibc
import Linux
import Commands

StandardDescriptors.occupy()
let arguments = Array(CommandLine.arguments.dropFirst())

// One executable contains all programs, so that a board stores Swift's runtime and the core only once: `waymarkd`,
// `waymark-bridge`, `waymark-mqtt`, `waymark-beacon` and `waymark-voice` are links to it.
let name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
if let service = ServiceProgram.all.first(where: { $0.name == name }) { exit(service.run(arguments)) }

// A closed pipe is detected by the error of write, so that `waymark watch | head` can end quietly.
signal(SIGPIPE, SIG_IGN)
// A file that grows beyond its limit is likewise detected by an error, so that `waymark import` can report it and clean
// up.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(arguments).rawValue)
