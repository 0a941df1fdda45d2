import Display
import Glibc
import Options
import WaymarkClient

/// `waymark places export`: all places the daemon knows, as GeoJSON.
enum PlacesExportCommand: Command {
    static let word = "places export"

    private static let format = Option.choice(
        "format", of: Waymark.PlaceFormat.allCases.map(\.description),
        help: "One FeatureCollection (default), a GeoJSON text sequence, or one feature per line")

    static let syntax: Syntax = syntax(
        "Export all places as GeoJSON.", operands: [Operand("FILE|-")], options: [format],
        notes: """
            FILE is created with your rights and must not exist yet; - is standard output. 'waymark places import' reads it
            again, favourites as such.
            """)

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let path = options.operands[0]
        // As long as it takes: a million places are no matter of seconds.
        let client = try Waymark.Client(timeout: .seconds(3600))
        let format = options[format].flatMap { Waymark.PlaceFormat(word: $0) }
        guard path != "-" else {
            _ = try client.exportPlaces(descriptor: STDOUT_FILENO, format: format)
            return .done
        }
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            let hint = errno == EEXIST ? "; choose another name, or remove it" : ""
            throw CommandError.failed("cannot create \(path): \(String(cString: strerror(errno)))\(hint)")
        }
        defer { close(file) }
        do {
            let count = try client.exportPlaces(descriptor: file, format: format)
            Terminal.complain("\(path): \(count) places")
        } catch {
            // Half a document is none.
            unlink(path)
            throw error
        }
        return .done
    }
}
