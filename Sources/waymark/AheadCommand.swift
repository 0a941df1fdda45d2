import Display
import Options
import WaymarkClient

/// `waymark ahead`: what lies ahead on the route and around.
enum AheadCommand: Command {
    static let word = "ahead"

    private static let json = Flag("json", help: "Print one JSON object")
    private static let limit = Option.integer(
        "limit", value: "COUNT", in: 1...100, help: "Show at most COUNT things (default: 10)")
    private static let radius = Option.number(
        "radius", value: "METRES", in: 1...100_000, help: "Search radius (default: 500)")

    static let syntax: Syntax = syntax("Show what lies ahead, nearest first.", options: [json, limit, radius])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let items = try Waymark.Client().ahead(limit: options[limit], radius: options[radius])
        try options[json] ? Terminal.print(JSONText.line(["items": items])) : Terminal.print(AheadText.table(items))
        return .done
    }
}
