import Diagnosis
import Display
import Glibc
import Linux
import Options
import WaymarkClient

/// `waymark doctor`: looks at everything that poses depend on, and says what mends what is wrong.
enum DoctorCommand: Command {
    static let word = "doctor"

    private static let json = Flag("json", help: "Print one JSON object")
    private static let seconds = Option.number(
        "seconds", value: "SECONDS", in: 1...60, help: "How long to listen to the sensors (default: 3)")
    private static let usualSeconds = 3.0
    private static let worn = Flag("worn", help: "The board is held as it is worn: gravity tells of a wrong mount")
    private static let config = Option.text("config", value: "FILE", help: "Settings in place of the system's file")

    static let syntax: Syntax = syntax(
        "Looks for what keeps poses from being good, and says what mends it.",
        options: [json, seconds, worn, config],
        notes: "Ends with 0 if nothing has failed, warnings aside, and with 1 if something has.")

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        // Sensors and libraries report here, not in a log.
        Log.threshold = .error
        LibraryOutput.divertOnThisThread()
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        let gatherer = FactGatherer(
            config: options[config], socket: socket, seconds: options[seconds] ?? usualSeconds,
            isWorn: options[worn], signals: signals)
        let diagnosis = Diagnosis(of: try gatherer.facts())
        if options[json] {
            try Terminal.print(JSONText.line(DiagnosisMessage(diagnosis)))
        } else {
            let canvas = Terminal.isInteractive ? Terminal.canvas : nil
            try Terminal.print(DiagnosisText.lines(diagnosis, canvas: canvas))
        }
        return diagnosis.level == .failure ? .failed : .done
    }

    /// As the user chose it; nil leaves it to the settings.
    private static var socket: String? {
        guard let value = getenv("WAYMARK_SOCKET"), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
