import Calibration
import Glibc
import Model
import Configuration
import WaymarkClient

extension Command {
    /// Subjects in the order in which they are calibrated, because each calibration uses the results of the previous
    /// ones. Noise is not included, because its calibration takes hours.
    private static let subjects: [Waymark.CalibrationKind] = [.gyro, .accel, .mag, .mount]

    static let calibrateAll = Command(
        "calibrate all", "Calibrate gyro, accel, mag and mount in turn, with instructions.",
        options: CalibrateOptions.everywhere + [CalibrateOptions.from, CalibrateOptions.rate, CalibrateOptions.gravity]
            + [CalibrateOptions.field, CalibrateOptions.dip],
        notes: """
            Before each sensor, Enter starts it, s skips it and q quits with the results so far.
            """ + "\n" + CalibrateOptions.notes
    ) { options in
        try CalibrateOptions.check(options)
        let outcomes = try options[CalibrateOptions.from].map { try offline(options, $0) } ?? live(options)
        let accepted = outcomes.count { $0.accepted }
        let isGood = accepted == outcomes.count && accepted > 0
        let reason = outcomes.isEmpty ? "nothing was calibrated" : "\(accepted) of \(outcomes.count) accepted"
        try Terminal.print(
            options[.json]
                ? JSONText.line(
                    JSONMembers(members: ["kind": "all", "accepted": isGood, "reason": reason, "results": outcomes]))
                : (["", "Summary: \(reason)"] + outcomes.map { "  " + CalibrationText.summary($0) }).joined(
                    separator: "\n") + "\n")
        return isGood ? .done : .failed
    }

    // MARK: - Recording

    /// Calibrates with the samples of a recording; skips sensors for which it has no samples.
    private static func offline(_ options: ParsedOptions, _ path: String) throws -> [Waymark.CalibrationResult] {
        var outcomes: [Waymark.CalibrationResult] = []
        var present: [SensorCalibration] = []
        for subject in subjects {
            var calibration = OfflineCalibration(subject, options, path: path)
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
            try show(outcome, options)
        }
        return outcomes
    }

    private static func show(_ outcome: Waymark.CalibrationResult, _ options: ParsedOptions) throws {
        try Terminal.print(
            options[.json]
                ? JSONText.line(outcome) : CalibrationText.lines(outcome).joined(separator: "\n") + "\n\n")
    }

    // MARK: - Interactive

    private enum Answer {
        case go, skip, end
    }

    private static func live(_ options: ParsedOptions) throws -> [Waymark.CalibrationResult] {
        let isGuided = !options[.json] && Terminal.isInteractive && isatty(STDIN_FILENO) == 1
        var outcomes: [Waymark.CalibrationResult] = []
        for (index, subject) in subjects.enumerated() {
            if !options[.json] { try introduce(subject, index + 1) }
            while true {
                let answer = isGuided ? try ask("Enter to start, s to skip, q to quit: ") : .go
                if answer == .end { return outcomes }
                if answer == .skip { break }
                guard let outcome = try calibrate(subject, options) else { break }
                if outcome.accepted || !isGuided {
                    outcomes.append(outcome)
                    break
                }
                try Terminal.print("\nTry again?\n")
                // The user may repeat a refused calibration, and then only its last result counts.
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

    /// Returns nil if the board has no such sensor.
    private static func calibrate(_ subject: Waymark.CalibrationKind, _ options: ParsedOptions) throws
        -> Waymark.CalibrationResult?
    {
        do {
            return try DaemonCalibration(subject, options).run()
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
