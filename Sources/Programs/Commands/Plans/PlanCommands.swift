import Configuration
import WaymarkClient

/// `waymark plan list`: the stored plans.
enum PlanListCommand: Command {
    static let word = "plan list"

    private static let json = Flag("json", help: "Print one JSON object")
    private static let position = Option(
        "position", value: "LAT,LON", help: "List the plans nearest to this position, in degrees, first",
        expectation: "a latitude and a longitude in degrees, such as 46.95,7.44", read: PlaceOptions.point)

    static let syntax: Syntax = syntax("List the stored floor plans.", options: [json, position])

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let plans = try Waymark.Client().plans(near: options[position])
        try options[json] ? Terminal.print(JSONText.line(["plans": plans])) : Terminal.print(PlanText.table(plans))
        return .done
    }
}

/// `waymark plan show`: properties of a stored plan, and its document.
enum PlanShowCommand: Command {
    static let word = "plan show"

    private static let json = Flag("json", help: "Print one JSON object")
    private static let output = Option.text(
        "output", short: "o", value: "FILE",
        help: "Write the plan to the new file FILE as GeoJSON; - is standard output")

    static let syntax: Syntax = syntax(
        "Show a stored floor plan, or write it as GeoJSON.", operands: [Operand("ID")], options: [json, output],
        notes: "'waymark plan list' shows ids. 'waymark plan import' reads what --output has written.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let id = options.operands[0]
        guard let path = options[output] else {
            let plan = try Waymark.Client().plan(id: id)
            try options[json] ? Terminal.print(JSONText.line(["plan": plan])) : Terminal.print(PlanText.lines(plan))
            return .done
        }
        guard !options[json] else { throw usageError("--json and --output cannot be combined") }
        if path != "-" { try NewFile.refuse(existing: path) }
        try NewFile.write(try Waymark.Client().planDocument(id: id).document, to: path)
        return .done
    }
}

/// `waymark plan remove`: deletes a stored plan.
enum PlanRemoveCommand: Command {
    static let word = "plan remove"

    static let syntax: Syntax = syntax(
        "Remove a stored floor plan.", operands: [Operand("ID")], notes: "'waymark plan list' shows ids.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        try Waymark.Client().removePlan(id: options.operands[0])
        return .done
    }
}
