import Configuration
import WaymarkClient

extension Command {
    /// Stored calibrations, their quality, and the daemon's proposal.
    static let calibrateShow = Command(
        "calibrate show", "List stored calibrations with their date, origin and accuracy.", options: [Flag.json]
    ) { options in
        let client = try Waymark.Client()
        let entries = try client.calibrations()
        let proposal = (try? client.status())?.calibration.proposal
        return try options.show(
            JSONMembers(members: ["calibrations": entries, "proposal": proposal]),
            as: CalibrationListText.lines(entries, proposal: proposal))
    }

    static let calibrateReset = Command(
        "calibrate reset", "Delete the stored calibrations of one sensor or of all.",
        operands: [Operand("SENSOR", optional: true)],
        notes: """
            SENSOR is gyro, accel, mag, mount or noise. Its history is deleted, too:
            'waymark calibrate export FILE' saves it first.
            """
    ) { options in
        let sensors = try Waymark.Client().resetCalibration(options.operands.first)
        try Terminal.print(
            sensors.isEmpty
                ? "No calibration was stored.\n" : "deleted: \(sensors.map(Words.line).joined(separator: ", "))\n"
        )
        return .done
    }

    static let calibrateExport = Command(
        "calibrate export", "Export the stored calibrations to a JSON document.", operands: [Operand("FILE|-")],
        notes: """
            FILE is created with your rights and must not exist yet; - is standard output.
            'waymark calibrate import' reads it, on this board or another.
            """
    ) { options in
        let path = options.operands[0]
        try NewFile.refuse(existing: path)
        let document = try Waymark.Client().exportCalibration()
        try NewFile.write(Array((document + (document.hasSuffix("\n") ? "" : "\n")).utf8), to: path)
        if path != "-" { Terminal.complain("\(path): \(Words.size(document.utf8.count))") }
        return .done
    }

    private static let force = Flag("force", help: "Import even if the active calibration is better")
    /// Maximum length of a document: more than any calibration needs. Unit: bytes.
    private static let maximumSize = 8 << 20

    static let calibrateImport = Command(
        "calibrate import", "Import and apply the calibrations of a document.", operands: [Operand("FILE|-")],
        options: [force],
        notes: """
            FILE was written by 'waymark calibrate export' or --output; - is standard input.
            An invalid document changes nothing.
            """
    ) { options in
        let file = try InputFile(options.operands[0])
        let bytes = try file.allBytes(maximumLength: maximumSize, kind: "calibration")
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw CommandError.failed("\(file.path) cannot be imported: it is not text in UTF-8")
        }
        let sensors = try take(document, of: file, force: options[force])
        try Terminal.print("active: \(sensors.map(Words.line).joined(separator: ", "))\n")
        return .done
    }

    private static func take(_ document: String, of file: InputFile, force: Bool) throws -> [String] {
        do {
            return try Waymark.Client(timeout: .seconds(60)).importCalibration(document, force: force)
        } catch {
            guard case .calibration(.invalidDocument(let place, let reason)) = error else { throw error }
            let position = place.isEmpty ? "" : " at \(place)"
            throw CommandError.failed("\(file.path) cannot be imported\(position): \(reason); nothing was changed")
        }
    }
}
