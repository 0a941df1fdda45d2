/// Result of one check.
package struct Finding: Hashable, Sendable {
    package enum Level: Sendable, Comparable {
        case ok
        /// Works with limitations.
        case warning
        /// An essential function does not work.
        case failure
    }

    package var code: FindingCode
    package var level: Level
    /// What was checked: a path, a device, a unit.
    package var subject: String
    /// What was observed.
    package var what: String
    /// Consequence for the user; empty at level ok.
    package var meaning = ""
    /// Command line or instruction that fixes the problem; nil at level ok.
    package var remedy: String?
}

/// Makes one row in a table of rules: a finding, or nil if the condition does not hold or there is no observation.
func rule(
    _ level: Finding.Level, _ code: FindingCode, if condition: Bool = true, _ subject: String, _ what: String?
) -> Finding? {
    condition ? what.map { Finding(code: code, level: level, subject: subject, what: $0) } : nil
}

func ok(_ code: FindingCode, if condition: Bool = true, _ subject: String, _ what: String?) -> Finding? {
    rule(.ok, code, if: condition, subject, what)
}

func warning(_ code: FindingCode, if condition: Bool = true, _ subject: String, _ what: String?) -> Finding? {
    rule(.warning, code, if: condition, subject, what)
}

func failure(_ code: FindingCode, if condition: Bool = true, _ subject: String, _ what: String?) -> Finding? {
    rule(.failure, code, if: condition, subject, what)
}

extension Finding? {
    /// Adds the consequence to a row.
    func meaning(_ text: String) -> Finding? {
        var finding = self
        finding?.meaning = text
        return finding
    }

    /// Adds the command that fixes the problem to a row.
    func fix(_ command: String) -> Finding? {
        var finding = self
        finding?.remedy = command
        return finding
    }
}

/// A table of rules. A function that returns a list applies all rows; a function that returns a single finding applies
/// only the first row whose condition holds.
@resultBuilder
enum Rules {
    static func buildExpression(_ finding: Finding?) -> [Finding] { finding.map { [$0] } ?? [] }
    static func buildExpression(_ findings: [Finding]) -> [Finding] { findings }
    static func buildBlock(_ rows: [Finding]...) -> [Finding] { rows.flatMap { $0 } }
    static func buildOptional(_ rows: [Finding]?) -> [Finding] { rows ?? [] }
    static func buildEither(first rows: [Finding]) -> [Finding] { rows }
    static func buildEither(second rows: [Finding]) -> [Finding] { rows }
    static func buildArray(_ rows: [[Finding]]) -> [Finding] { rows.flatMap { $0 } }
    static func buildFinalResult(_ rows: [Finding]) -> [Finding] { rows }
    static func buildFinalResult(_ rows: [Finding]) -> Finding? { rows.first }
}
