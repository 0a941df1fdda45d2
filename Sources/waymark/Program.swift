import Glibc
import Options
import Service
import WaymarkClient

/// Finds the command among the arguments, runs it and turns whatever it throws into a message and an exit code.
enum Program {
    static let version = Waymark.version

    /// In the order of the help text.
    static let commands: [any Command.Type] = [
        WatchCommand.self, StatusCommand.self, PoseCommand.self, DevicesCommand.self, AheadCommand.self,
        WaitCommand.self, RecordCommand.self, ReplayCommand.self, ImportCommand.self,
    ]

    static let syntax = Syntax(
        name: "waymark",
        summary: "Shows and records the pose of the wearer that waymarkd publishes.",
        operands: [Operand("COMMAND")], common: [DaemonSocket.option],
        notes: """
            Commands:
            \(commandList)
            'waymark COMMAND --help' tells more about each.

            Exit codes: 0 done, 1 failed, 2 usage, 3 daemon unreachable, 4 timed out.
            """,
        version: version, stopsAtOperand: true)

    static func run(_ arguments: [String]) -> ExitCode {
        do {
            return try dispatch(arguments)
        } catch let error as UsageError {
            Terminal.complain("\(error)")
            return .usage
        } catch let error as CommandError {
            Terminal.complain("waymark: \(error)")
            return error.code
        } catch let error as WaymarkError {
            Terminal.complain("waymark: \(error)" + advice(error))
            return ExitCode(error)
        } catch is Terminal.Closed {
            // Nobody reads any more: what was asked for was delivered.
            return .done
        } catch {
            Terminal.complain("waymark: \(error)")
            return .failed
        }
    }

    /// What only this program knows to say to the library's own advice.
    private static func advice(_ error: WaymarkError) -> String {
        guard case .unreachable = error else { return "" }
        return ", or try it without sensors: 'waymarkd --demo --socket PATH' and 'waymark --socket PATH watch'"
    }

    private static func dispatch(_ arguments: [String]) throws -> ExitCode {
        let options = try syntax.parse(arguments)
        if let answer = options.answer {
            try Terminal.print(answer)
            return .done
        }
        let word = options.operands[0]
        guard let command = commands.first(where: { $0.word == word }) else {
            throw UsageError(message: "there is no command '\(word)'", program: "waymark")
        }
        if let path = options[DaemonSocket.option] { DaemonSocket.choose(path) }
        return try run(command, Array(options.operands.dropFirst()))
    }

    private static func run(_ command: any Command.Type, _ arguments: [String]) throws -> ExitCode {
        let options = try command.syntax.parse(arguments)
        if let answer = options.answer {
            try Terminal.print(answer)
            return .done
        }
        if let path = options[DaemonSocket.option] { DaemonSocket.choose(path) }
        return try command.run(options)
    }

    private static var commandList: String {
        let width = commands.map { $0.word.count }.max() ?? 0
        return commands.map { command in
            let padding = String(repeating: " ", count: width - command.word.count)
            return "  \(command.word)\(padding)  \(command.syntax.summary)\n"
        }.joined()
    }
}
