import Display
import Options
import WaymarkClient

/// `waymark status`: how the daemon does.
enum StatusCommand: Command {
    static let word = "status"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax("Shows how the daemon and its sensors do.", options: [json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let status = try WaymarkClient().status()
        try options[json] ? Terminal.print(JSONText.line(status)) : Terminal.print(StatusText.lines(status))
        return .done
    }
}
