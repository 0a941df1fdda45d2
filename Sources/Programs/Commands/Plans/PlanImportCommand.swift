import Configuration
import WaymarkClient

extension Command {
    private static let id = Option.text(
        "id", value: "ID", help: "Id of the plan (default: name of the file without its ending)")
    private static let name = Option.text(
        "name", value: "NAME", help: "Name of the plan (default: taken from the document)")

    static let planImport = Command(
        "plan import", "Store the floor plan of a document.", operands: [Operand("FILE|-")],
        options: [id, name, Flag.json],
        notes: """
            FILE is GeoJSON or an extract of OpenStreetMap; - is standard input. A stored plan with the same id is
            replaced. An invalid document changes nothing.
            """, run: run)

    private static func run(_ options: ParsedOptions) throws -> ExitCode {
        let file = try InputFile(options.operands[0])
        let bytes = try file.pipedBytes(maximumLength: Waymark.Client.longestPlanDocument, kind: "plan")
        let id = options[id] ?? (options.operands[0] == "-" ? nil : stem(file.name))
        let client = try Waymark.Client(timeout: .seconds(60))
        let plan: Waymark.Plan
        do {
            plan =
                if let bytes {
                    try client.importPlan(document: bytes, id: id, name: options[name])
                } else {
                    try client.importPlan(descriptor: file.descriptor, id: id, name: options[name])
                }
        } catch {
            guard let problem = error.documentProblem else { throw error }
            throw CommandError.failed("\(file.path): \(problem); nothing was stored")
        }
        _ = try options.show(["plan": plan], as: [PlanText.line(plan)])
        let warning = ExchangedCoordinates(client)?.warning(
            "the plan lies", latitude: plan.extent.south, longitude: plan.extent.west, remedy: "import it again")
        if let warning { Terminal.complain("waymark plan import: warning: \(warning)") }
        return .done
    }

    /// Name of a file without its extension, cut to the maximum length of an id; nil if it is empty.
    private static func stem(_ name: String) -> String? {
        var stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        while stem.utf8.count > maximumIDLength { stem.removeLast() }
        return stem.isEmpty ? nil : stem
    }

    /// Maximum length of an id. Unit: bytes.
    private static let maximumIDLength = 80
}
