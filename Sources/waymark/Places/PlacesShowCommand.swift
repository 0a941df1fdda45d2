import Display
import Options
import WaymarkClient

/// `waymark places show`: all that is known of one place.
enum PlacesShowCommand: Command {
    static let word = "places show"

    static let syntax: Syntax = syntax(
        "Show the details of a place.", operands: [Operand("ID")], options: [PlaceOptions.json],
        notes: "'waymark places search' shows ids.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let place = try Waymark.Client().place(id: options.operands[0])
        try options[PlaceOptions.json]
            ? Terminal.print(JSONText.line(["place": place])) : Terminal.print(PlaceText.lines(place))
        return .done
    }
}
