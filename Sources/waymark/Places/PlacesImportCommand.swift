import Display
import Glibc
import Linux
import Options
import WaymarkClient

/// `waymark places import`: a GeoJSON document into the daemon's place store.
enum PlacesImportCommand: Command {
    static let word = "places import"

    private static let source = Option.text(
        "source", value: "NAME", help: "Where the places come from (default: the name of the file)")
    private static let replace = Flag(
        "replace",
        help: "Remove what an earlier import of the same source brought and this one does not; not favourites")
    private static let json = Flag("json", help: "Print one JSON object")

    static let syntax: Syntax = syntax(
        "Imports places from a GeoJSON document.", operands: [Operand("FILE|-")], options: [source, replace, json],
        notes: """
            FILE is a FeatureCollection, or a sequence of GeoJSON texts as 'osmium export' writes; - is standard input.
            Places with an id that is known are replaced and stay favourites. Ctrl-C ends the import: what is imported
            until then stays, and the same command again completes it.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let path = options.operands[0]
        let file = try InputFile(path)
        // Ctrl-C has to reach the daemon, as the end of the connection does.
        let signals = try SignalDescriptor.ofInterruption()
        let client = try WaymarkClient(cancel: signals.descriptor)
        let progress = ProgressLine()
        defer { progress.end() }
        let source = options[source] ?? file.name
        let result: PlaceImport
        do throws(WaymarkError) {
            result = try client.importPlaces(
                descriptor: file.descriptor, source: source, replace: options[replace]
            ) { progress.show(PlaceText.progress($0, size: file.size)) }
        } catch {
            throw explained(error, file)
        }
        progress.end()
        for problem in result.problems {
            Terminal.complain(
                "waymark places import: left out \(Words.line(problem.path)): \(Words.line(problem.reason))")
        }
        if result.flawed > result.problems.count {
            Terminal.complain("waymark places import: and \(result.flawed - result.problems.count) more were left out")
        }
        try Terminal.print(options[json] ? JSONText.line(result) : PlaceText.line(result) + "\n")
        return .done
    }

    /// With what only this command knows.
    private static func explained(_ error: WaymarkError, _ file: InputFile) -> any Error {
        switch error {
        case .invalidDocument(let place, let reason):
            let position = place.isEmpty ? "" : " at \(place)"
            return CommandError.failed("\(file.name) cannot be imported\(position): \(reason)")
        case .cancelled:
            return CommandError.failed(
                "cancelled: what was imported until then stays, and the same command again completes it")
        default: return error
        }
    }
}
