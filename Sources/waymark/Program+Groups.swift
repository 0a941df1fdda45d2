import Options

// Commands of two words that begin with the same one.
extension Program {
    private static let summaries = [
        "calibrate": "Calibrate the sensors and manage stored calibrations.",
        "places": "Import, search and filter places.",
        "route": "Start, show and stop routes.",
    ]

    /// Those of a group such as `route`, in the order of the help text.
    static func group(_ word: String) -> [any Command.Type] {
        commands.filter { $0.words.count > 1 && $0.words[0] == word }
    }

    /// What `waymark route --help` prints; nil for anything else.
    static func groupHelp(_ arguments: [String]) -> String? {
        guard arguments.count >= 2, ["--help", "-h"].contains(arguments[1]) else { return nil }
        let group = group(arguments[0])
        guard !group.isEmpty, !commands.contains(where: { $0.word == arguments[0] }) else { return nil }
        let name = "waymark \(arguments[0])"
        let syntax = Syntax(
            name: name, summary: summaries[arguments[0]] ?? "Run one of the commands below.",
            operands: [Operand("COMMAND")], common: [DaemonSocket.option],
            notes: """
                Commands:
                \(list(of: group))
                '\(name) COMMAND --help' shows the help of a command.
                """, stopsAtOperand: true)
        return syntax.helpText
    }
}
