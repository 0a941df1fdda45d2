import Glibc
import Linux

StandardDescriptors.occupy()
// A closed pipe is told by write's own answer, so that `waymark watch | head` can end quietly.
signal(SIGPIPE, SIG_IGN)
// A file that grows beyond its limit likewise, so that `waymark import` can say so and clean up.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
