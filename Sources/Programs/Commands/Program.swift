import Model
import Configuration
import Service
import WaymarkClient

/// Finds the command among the arguments, runs it and turns errors into a message and an exit code.
package enum Program {
    static let version = Release.version

    /// All commands, in the order of the help text.
    static let commands: [Command] = [
        .watch, .status, .doctor, .pose, .devices, .ahead, .scene, .share, .serve, .explain, .wait, .notify,
        .record, .replay, .report, .export, .importTables, .recover,
        .calibrateGyro, .calibrateAccel, .calibrateMag, .calibrateMount, .calibrateNoise, .calibrateAll,
        .calibrateShow, .calibrateReset, .calibrateExport, .calibrateImport,
        .placesImport, .placesExport, .placesSearch, .placesNear, .placesShow, .placesFavorite, .placesFilter,
        .placesFilters,
        .planImport, .planList, .planShow, .planRemove, .terrainImport, .terrainList, .terrainShow, .terrainRemove,
        .navigator, .routeTo, .routeSet, .routeShow, .routeClear, .aids, .aid, .sight, .fleetWatch, .fleetSimulate,
    ]

    static let syntax = Syntax(
        name: "waymark",
        summary: "Show, record and analyse the poses published by waymarkd.",
        operands: [Operand("COMMAND")], common: [DaemonSocket.option],
        notes: """
            Commands:
            \(list(of: commands))
            'waymark help COMMAND' shows the help of a command.

            Exit codes: 0 done, 1 failed, 2 usage, 3 daemon unreachable, 4 timed out, 130 ended by Ctrl-C.
            """,
        version: version, stopsAtOperand: true)

    package static func run(_ arguments: [String]) -> ExitCode {
        do {
            return try dispatch(arguments)
        } catch let error as UsageError {
            Terminal.complain("\(error)")
            return .usage
        } catch let error as CommandError {
            Terminal.complain("waymark: \(error)")
            return error.code
        } catch let error as WaymarkError {
            // The message may contain untrusted text, such as names, so it is reduced to one line.
            Terminal.complain("waymark: " + Words.line(text(error) + advice(error)))
            return ExitCode(error)
        } catch is Terminal.Closed {
            // The reader has closed the pipe: not an error.
            return .done
        } catch {
            Terminal.complain("waymark: \(error)")
            return .failed
        }
    }

    /// Explains a refused change: names the group in the system's settings, and how the caller can join it. The library
    /// does not read the settings, so it names the default group.
    private static func text(_ error: WaymarkError) -> String {
        guard case .service(.permissionDenied) = error else { return "\(error)" }
        let settings = ConfigurationSurvey(file: nil).settings.service
        // The settings of a daemon at another socket are unknown.
        guard settings.socket == Waymark.Client.defaultPath else { return "\(error)" }
        return ChangeRefusal.text(ChangeFacts(settings))
    }

    /// Advises to try the demonstration. The client library's own errors cannot, because it does not know the programs.
    private static func advice(_ error: WaymarkError) -> String {
        guard case .unreachable(let path, _) = error else { return "" }
        let option = path == Waymark.Client.systemPath ? "" : " --socket \(path)"
        return ", or try Waymark without sensors: 'waymarkd --demo\(option) &'"
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitCode {
        let options = try syntax.parse(arguments)
        if let answer = options.answer { return try answered(answer) }
        if options.operands[0] == "help" { return try answered(help(Array(options.operands.dropFirst()))) }
        if let help = groupHelp(options.operands) { return try answered(help) }
        let command = try find(options.operands)
        if let path = options[DaemonSocket.option] { DaemonSocket.choose(path) }
        return try run(command, Array(options.operands.dropFirst(command.words.count)))
    }

    /// Finds the command whose words the arguments begin with, such as `status` or `route set`.
    private static func find(_ arguments: [String]) throws(UsageError) -> Command {
        if let command = commands.first(where: { arguments.starts(with: $0.words) }) { return command }
        let group = group(arguments[0])
        guard !group.isEmpty else {
            throw unknown(arguments[0], among: commands.map { $0.words[0] }, program: "waymark")
        }
        if arguments.count > 1, let name = Spelling.nearest(to: arguments[1], among: group.map { $0.words[1] }) {
            throw unknown(arguments[1], among: [name], program: "waymark \(arguments[0])")
        }
        let choices = "use one of " + group.map { $0.words[1] }.joined(separator: ", ")
        let problem = arguments.count > 1 ? "unknown command '\(arguments[1])'" : "missing COMMAND"
        throw UsageError(message: "\(problem): \(choices)", program: "waymark \(arguments[0])")
    }

    private static func unknown(_ word: String, among names: [String], program: String) -> UsageError {
        let hint = Spelling.nearest(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
        return UsageError(message: "unknown command '\(word)'\(hint)", program: program)
    }

    /// Returns the text of `--help` for the program, a group or a command.
    private static func help(_ words: [String]) throws(UsageError) -> String {
        guard let first = words.first else { return syntax.helpText }
        if words.count == 1, let help = groupHelp([first, "--help"]) { return help }
        return try find(words).syntax.helpText
    }

    private static func answered(_ text: String) throws -> ExitCode {
        try Terminal.print(text)
        return .done
    }

    private static func run(_ command: Command, _ arguments: [String]) throws -> ExitCode {
        let options = try command.syntax.parse(arguments)
        if let answer = options.answer { return try answered(answer) }
        if let path = options[DaemonSocket.option] { DaemonSocket.choose(path) }
        do {
            return try command.run(options)
        } catch let misuse as Misuse {
            throw UsageError(message: misuse.message, program: command.syntax.name)
        }
    }

    static func list(of commands: [Command]) -> String {
        let width = commands.map { $0.word.count }.max() ?? 0
        return commands.map { command in
            let padding = String(repeating: " ", count: width - command.word.count)
            return "  \(command.word)\(padding)  \(command.summary)\n"
        }.joined()
    }
}

// Groups: commands of two words with the same first word.
extension Program {
    private static let summaries = [
        "fleet": "Many wearers at an MQTT broker.",
        "calibrate": "Calibrate the sensors and manage stored calibrations.",
        "places": "Import, search and filter places.",
        "route": "Start, show and stop routes.",
    ]

    /// Commands of a group such as `route`, in the order of the help text.
    static func group(_ word: String) -> [Command] {
        commands.filter { $0.words.count > 1 && $0.words[0] == word }
    }

    /// Returns the help text of a group, as for `waymark route --help`; nil if the arguments request anything else.
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
