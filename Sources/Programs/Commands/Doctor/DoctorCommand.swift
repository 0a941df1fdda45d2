import Glibc
import Linux
import Configuration

extension Command {
    private static let seconds = Option.duration("seconds", in: 1...60, help: "Sampling time (default: 3s)")
    private static let usualSeconds = 3.0
    private static let worn = Flag("worn", help: "Check the mount against gravity; hold the board as it is worn")

    static let doctor = Command(
        "doctor", "Diagnose why poses are inaccurate and how to fix it.",
        options: [Flag.json, seconds, worn, Option.config],
        notes: "Exit status: 0 without failures (warnings aside), 1 with at least one failure."
    ) { options in
        // Problems of sensors and libraries are reported here, not in a log.
        Log.threshold = .error
        LibraryOutput.divertOnThisThread()
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        let gatherer = FactGatherer(
            config: options[.config], seconds: options[seconds] ?? usualSeconds,
            isWorn: options[worn], signals: signals)
        let diagnosis = Diagnosis(of: try gatherer.facts())
        let canvas = Terminal.isInteractive ? Terminal.canvas : nil
        _ = try options.show(diagnosis.json, as: DiagnosisText.lines(diagnosis, canvas: canvas))
        return diagnosis.level == .failure ? .failed : .done
    }
}

extension Diagnosis {
    /// Object of `waymark doctor --json`; the level of the summary is the highest of all findings.
    fileprivate var json: JSONMembers {
        let findings = findings.map { finding in
            JSONMembers(members: [
                "id": finding.code.rawValue, "level": "\(finding.level)", "subject": finding.subject,
                "what": finding.what, "meaning": finding.meaning.isEmpty ? nil : finding.meaning,
                "remedy": finding.remedy,
            ])
        }
        let summary = JSONMembers(members: [
            "level": "\(level)", "ok": count(.ok), "warnings": count(.warning), "failures": count(.failure),
        ])
        return JSONMembers(members: ["findings": findings, "summary": summary, "version": Program.version])
    }
}
