import Diagnosis

/// What `waymark doctor --json` prints.
struct DiagnosisMessage: Encodable {
    struct Entry: Encodable {
        let id: String
        let level: String
        let subject: String
        let what: String
        let meaning: String?
        let remedy: String?
    }

    struct Summary: Encodable {
        /// The gravest.
        let level: String
        let ok: Int
        let warnings: Int
        let failures: Int
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
}
