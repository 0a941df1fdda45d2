import Configuration
import WaymarkClient

extension Command {
    private static let position = PlaceOptions.position("List the plans nearest to this position, in degrees, first")
    private static let output = Option.text(
        "output", short: "o", value: "FILE",
        help: "Write the plan to the new file FILE as GeoJSON; - is standard output")

    static let planList = Command(
        "plan list", "List the stored floor plans.", options: [Flag.json, position]
    ) { options in
        let plans = try Waymark.Client().plans(near: options[position])
        return try options.show(["plans": plans], as: PlanText.table(plans))
    }

    /// Properties of a stored plan, or its document.
    static let planShow = Command(
        "plan show", "Show a stored floor plan, or write it as GeoJSON.", operands: [Operand("ID")],
        options: [Flag.json, output],
        notes: "'waymark plan list' shows ids. 'waymark plan import' reads what --output has written."
    ) { options in
        let id = options.operands[0]
        guard let path = options[output] else {
            let plan = try Waymark.Client().plan(id: id)
            return try options.show(["plan": plan], as: PlanText.lines(plan))
        }
        guard !options[.json] else { throw Misuse("--json and --output cannot be combined") }
        try NewFile.refuse(existing: path)
        try NewFile.write(try Waymark.Client().planDocument(id: id).document, to: path)
        return .done
    }

    static let planRemove = Command(
        "plan remove", "Remove a stored floor plan.", operands: [Operand("ID")],
        notes: "'waymark plan list' shows ids."
    ) { options in
        try Waymark.Client().removePlan(id: options.operands[0])
        return .done
    }
}
