import Glibc
import JSON
import Linux
import Configuration
import WaymarkClient

/// `waymark doctor`: checks everything that poses depend on, and prints how to fix problems.
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
        if options[.json] {
            try Terminal.print(JSONText.line(DiagnosisMessage(diagnosis)))
        } else {
            let canvas = Terminal.isInteractive ? Terminal.canvas : nil
            try Terminal.print(DiagnosisText.lines(diagnosis, canvas: canvas))
        }
        return diagnosis.level == .failure ? .failed : .done
    }
}

/// Output of `waymark doctor --json`.
struct DiagnosisMessage: JSONWritable {
    struct Entry: JSONWritable {
        let id: String
        let level: String
        let subject: String
        let what: String
        let meaning: String?
        let remedy: String?

        func write(into json: inout JSONWriter) {
            json.beginObject()
            json.member("id", id)
            json.member("level", level)
            json.member("subject", subject)
            json.member("what", what)
            json.member("meaning", meaning)
            json.member("remedy", remedy)
            json.endObject()
        }
    }

    struct Summary: JSONWritable {
        /// The highest severity.
        let level: String
        let ok: Int
        let warnings: Int
        let failures: Int

        func write(into json: inout JSONWriter) {
            json.beginObject()
            json.member("level", level)
            json.member("ok", ok)
            json.member("warnings", warnings)
            json.member("failures", failures)
            json.endObject()
        }
    }

    let findings: [Entry]
    let summary: Summary
    let version: String

    init(_ diagnosis: Diagnosis) {
        findings = diagnosis.findings.map { finding in
            Entry(
                id: finding.code.rawValue, level: "\(finding.level)", subject: finding.subject, what: finding.what,
                meaning: finding.meaning.isEmpty ? nil : finding.meaning, remedy: finding.remedy)
        }
        summary = Summary(
            level: "\(diagnosis.level)", ok: diagnosis.count(.ok), warnings: diagnosis.count(.warning),
            failures: diagnosis.count(.failure))
        version = Program.version
    }

    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("findings", findings)
        json.member("summary", summary)
        json.member("version", version)
        json.endObject()
    }
}
