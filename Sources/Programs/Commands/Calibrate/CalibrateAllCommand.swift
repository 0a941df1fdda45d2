import Calibration
import Glibc
import JSON
import Model
import Configuration
import WaymarkClient

/// `waymark calibrate all`: all calibrations in order, with a pause before each.
enum CalibrateAllCommand: Command {
    static let word = "calibrate all"

    /// Each calibration uses the previous ones. Noise is not included, as it takes hours.
    private static let subjects: [Waymark.CalibrationKind] = [.gyro, .accel, .mag, .mount]

    static let syntax: Syntax = syntax(
        "Calibrate gyro, accel, mag and mount in turn, with instructions.",
        options: CalibrateOptions.everywhere + [CalibrateOptions.from, CalibrateOptions.rate, CalibrateOptions.gravity]
            + [CalibrateOptions.field, CalibrateOptions.dip],
        notes: """
            Before each sensor, Enter starts it, s skips it and q quits with the results so far.
            """ + "\n" + CalibrateOptions.notes)

    /// Results of all calibrations.
    private struct Summary: JSONWritable {
        let accepted: Bool
        let reason: String
        let results: [Waymark.CalibrationResult]

        func write(into json: inout JSONWriter) {
            json.beginObject()
            json.member("kind", word: "all")
            json.member("accepted", accepted)
            json.member("reason", reason)
            json.member("results", results)
            json.endObject()
        }
    }

    static func run(_ options: ParsedOptions) throws -> ExitCode {
        let request = try CalibrateRequest(options, command: Self.self)
        let outcomes = try request.from.map { try offline(request, $0) } ?? live(request)
        let accepted = outcomes.count { $0.accepted }
        let isGood = accepted == outcomes.count && accepted > 0
        let reason = outcomes.isEmpty ? "nothing was calibrated" : "\(accepted) of \(outcomes.count) accepted"
        try Terminal.print(
            request.json
                ? JSONText.line(Summary(accepted: isGood, reason: reason, results: outcomes))
                : (["", "Summary: \(reason)"] + outcomes.map { "  " + CalibrationText.summary($0) }).joined(
                    separator: "\n") + "\n")
        return isGood ? .done : .failed
    }

    // MARK: - Recording

    /// Skips sensors of which the recording has no samples.
    private static func offline(_ request: CalibrateRequest, _ path: String) throws -> [Waymark.CalibrationResult] {
        var outcomes: [Waymark.CalibrationResult] = []
        var present: [SensorCalibration] = []
        for subject in subjects {
            var calibration = OfflineCalibration(subject, request, path: path)
            calibration.present = present
            let (result, unit) = try calibration.calibrate()
            guard result.verdict.refusal != .noSamples else { continue }
            if result.verdict.isAccepted {
                present += result.fits.map {
                    SensorCalibration(
                        time: BootTime(nanoseconds: .min), sensor: $0.sensor, correction: $0.correction, bias: $0.bias,
                        biasStandardDeviation: $0.biasStandardDeviation)
                }
            }
            let outcome = try OfflineCalibration.outcome(result, unit)
            outcomes.append(outcome)
            try show(outcome, request)
        }
        return outcomes
    }

    private static func show(_ outcome: Waymark.CalibrationResult, _ request: CalibrateRequest) throws {
        try Terminal.print(
            request.json
                ? JSONText.line(outcome) : CalibrationText.lines(outcome).joined(separator: "\n") + "\n\n")
    }

    // MARK: - Interactive

    private enum Answer {
        case go, skip, end
    }

    private static func live(_ request: CalibrateRequest) throws -> [Waymark.CalibrationResult] {
        let isGuided = !request.json && Terminal.isInteractive && isatty(STDIN_FILENO) == 1
        var outcomes: [Waymark.CalibrationResult] = []
        for (index, subject) in subjects.enumerated() {
            if !request.json { try introduce(subject, index + 1) }
            while true {
                let answer = isGuided ? try ask("Enter to start, s to skip, q to quit: ") : .go
                if answer == .end { return outcomes }
                if answer == .skip { break }
                guard let outcome = try calibrate(subject, request) else { break }
                if outcome.accepted || !isGuided {
                    outcomes.append(outcome)
                    break
                }
                try Terminal.print("\nTry again?\n")
                // Refused, and repeated: only the last result counts.
                outcomes.removeAll { $0.kind == outcome.kind }
                outcomes.append(outcome)
            }
        }
        return outcomes
    }

    private static func introduce(_ subject: Waymark.CalibrationKind, _ number: Int) throws {
        try Terminal.print(
            ["", "\(number) of \(subjects.count)  \(CalibrationWords.title(subject))"]
                + CalibrationWords.introduction(subject, columns: LiveScreen.size.columns - 1))
    }

    /// Nil if the board has no such sensor.
    private static func calibrate(_ subject: Waymark.CalibrationKind, _ request: CalibrateRequest) throws
        -> Waymark.CalibrationResult?
    {
        do {
            return try DaemonCalibration(subject, request).run()
        } catch WaymarkError.calibration(.sensorMissing(_, let detail)) {
            Terminal.complain("waymark calibrate: \(subject) skipped: \(Words.line(detail))")
            return nil
        }
    }

    private static func ask(_ question: String) throws -> Answer {
        try Terminal.print(question)
        guard let line = readLine() else { return .end }
        switch line.first {
        case "s", "S": return .skip
        case "q", "Q": return .end
        default: return .go
        }
    }
}
