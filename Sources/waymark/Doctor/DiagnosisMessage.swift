import Diagnosis
import JSON

/// What `waymark doctor --json` prints.
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
        /// The gravest.
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
                id: finding.code.rawValue, level: finding.level.rawValue, subject: finding.subject, what: finding.what,
                meaning: finding.meaning.isEmpty ? nil : finding.meaning, remedy: finding.remedy)
        }
        summary = Summary(
            level: diagnosis.level.rawValue, ok: diagnosis.count(.ok), warnings: diagnosis.count(.warning),
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
