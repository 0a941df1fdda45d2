import Glibc
import Linux
import Commands

StandardDescriptors.occupy()
let arguments = Array(CommandLine.arguments.dropFirst())

// One executable contains all programs, so that a board stores Swift's runtime and the core only once: `waymarkd`,
// `waymark-bridge`, `waymark-mqtt`, `waymark-beacon` and `waymark-voice` are links to it.
switch CommandLine.arguments.first?.split(separator: "/").last.map(String.init) {
case DaemonProgram.name: exit(DaemonProgram(arguments).run())
case BridgeProgram.name: exit(BridgeProgram(arguments).run())
case MQTTProgram.name: exit(MQTTProgram(arguments).run())
case BeaconProgram.name: exit(BeaconProgram(arguments).run())
case VoiceProgram.name: exit(VoiceProgram(arguments).run())
default: break
}

// A closed pipe is detected by the error of write, so that `waymark watch | head` can end quietly.
signal(SIGPIPE, SIG_IGN)
// A file that grows beyond its limit is likewise detected by an error, so that `waymark import` can report it and clean
// up.
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(arguments).rawValue)
