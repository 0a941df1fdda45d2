import Display
import Options
import WaymarkClient

/// `waymark explain`: why content moved.
enum ExplainCommand: Command {
    static let word = "explain"

    private static let json = Flag("json", help: "Print one JSON object")
    private static let seconds = Option.number(
        "seconds", value: "SECONDS", in: 1...600, help: "Look back SECONDS (default: 60)")

    private static let id = Option.text(
        "id", value: "ID", help: "Also report how far placement or place ID moved")

    static let syntax: Syntax = syntax(
        "Explain why content moved: list the scene frame's corrections.", options: [json, seconds, id],
        notes: "Times are UTC, or seconds since boot before the first fix.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let corrections = try Waymark.Client().explain(seconds: options[seconds], id: options[id])
        try options[json]
            ? Terminal.print(JSONText.line(["corrections": corrections]))
            : Terminal.print(ExplainText.lines(corrections))
        return .done
    }
}
