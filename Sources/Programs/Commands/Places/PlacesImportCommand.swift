import Glibc
import Linux
import Configuration
import WaymarkClient

extension Command {
    private static let source = Option.text(
        "source", value: "NAME", help: "Name of the data source (default: name of the file)")
    private static let replace = Flag(
        "replace",
        help: "Delete places of an earlier import of this source that are missing now, except favourites")
    static let placesImport = Command(
        "places import", "Import places from GeoJSON, GPX waypoints or a table (CSV).", operands: [Operand("FILE|-")],
        options: [source, replace, Flag.json],
        notes: """
            FILE is a FeatureCollection, a sequence of GeoJSON texts as 'osmium export' writes, a GPX document, or a table
            in UTF-8 whose first row names columns such as lat, lon, name and category; - is standard input.
            Existing places with the same id are replaced and stay favourites. Ctrl-C stops the import: places imported
            so far are kept, and the same command completes it.
            """, run: runPlacesImport)

    private static func runPlacesImport(_ options: ParsedOptions) throws -> ExitCode {
        let path = options.operands[0]
        let file = try InputFile(path)
        // Ctrl-C closes the connection, so that the daemon stops the import.
        let signals = try SignalDescriptor.ofInterruption()
        // The daemon waits only a few seconds for data, so this program waits for a pipe that starts slowly.
        guard try Waiting.wait(file.descriptor, events: POLLIN, until: nil, cancel: signals.descriptor) == .ready else {
            throw explained(.cancelled, file)
        }
        let client = try Waymark.Client(cancel: signals.descriptor)
        let progress = ProgressLine()
        defer { progress.end() }
        let source = options[source] ?? file.name
        let result: Waymark.PlaceImport
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
                "waymark places import: skipped \(Words.line(problem.path)): \(Words.line(problem.reason))")
        }
        if result.flawed > result.problems.count {
            Terminal.complain("waymark places import: and \(result.flawed - result.problems.count) more were skipped")
        }
        _ = try options.show(result, as: [PlaceText.line(result)])
        if let warning = ExchangedCoordinates(client)?.warningOfPlaces() {
            Terminal.complain("waymark places import: warning: \(warning)")
        }
        return .done
    }

    /// Adds to an error the name of the file, or a way to continue.
    private static func explained(_ error: WaymarkError, _ file: InputFile) -> any Error {
        switch error {
        case .scene(.invalidDocument(let place, let reason)):
            let position = place.isEmpty ? "" : " at \(place)"
            return CommandError.failed("\(file.name) cannot be imported\(position): \(reason)")
        case .cancelled:
            return CommandError.failed(
                "cancelled: places imported so far are kept; run the same command again to complete the import")
        default: return error
        }
    }

    private static let format = Option.choice(
        "format", of: Waymark.PlaceFormat.allCases.map(\.description),
        help: "One FeatureCollection (default), a GeoJSON text sequence, or one feature per line")

    static let placesExport = Command(
        "places export", "Export all places as GeoJSON.", operands: [Operand("FILE|-")], options: [format],
        notes: """
            FILE is created with your rights and must not exist yet; - is standard output. 'waymark places import' reads it
            again, favourites as such.
            """
    ) { options in
        let path = options.operands[0]
        // The timeout is long, because exporting a million places takes more than a few seconds.
        let client = try Waymark.Client(timeout: .seconds(3600))
        let format = options[format].flatMap { Waymark.PlaceFormat(word: $0) }
        guard path != "-" else {
            _ = try client.exportPlaces(descriptor: STDOUT_FILENO, format: format)
            return .done
        }
        let file = try NewFile.createForDaemon(path, O_WRONLY, mode: 0o644)
        defer { close(file) }
        do {
            let count = try client.exportPlaces(descriptor: file, format: format)
            Terminal.complain("\(path): \(count) places")
        } catch {
            // An incomplete document is useless.
            unlink(path)
            throw error
        }
        return .done
    }
}
