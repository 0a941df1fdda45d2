import Display
import Options
import WaymarkClient

/// `waymark status`: daemon and sensor health.
enum StatusCommand: Command {
    static let word = "status"

    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax("Show daemon and sensor health.", options: [json])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let status = try Waymark.Client().status()
        try options[json] ? Terminal.print(JSONText.line(status)) : Terminal.print(StatusText.lines(status))
        return .done
    }
}
