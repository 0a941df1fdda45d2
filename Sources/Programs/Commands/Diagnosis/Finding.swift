/// Result of one check: observation, consequence and remedy.
public struct Finding: Hashable, Sendable {
    /// Severity.
    public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        case ok
        /// Works with limitations.
        case warning
        /// An essential function does not work.
        case failure

        private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
        /// Ordered by severity.
        public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    }

    /// Identifier of the finding.
    public var code: FindingCode
    /// Severity.
    public var level: Level
    /// Subject of the check: a path, a device, a unit.
    public var subject: String
    /// Observation.
    public var what: String
    /// Consequence; empty at level ok.
    public var meaning: String
    /// Command line or instruction that fixes the problem; nil at level ok.
    public var remedy: String?

    /// A check without a problem.
    public static func ok(_ code: FindingCode, _ subject: String, _ what: String) -> Finding {
        Finding(code: code, level: .ok, subject: subject, what: what, meaning: "", remedy: nil)
    }

    /// A limitation.
    public static func warning(
        _ code: FindingCode, _ subject: String, _ what: String, meaning: String, remedy: String
    ) -> Finding {
        Finding(code: code, level: .warning, subject: subject, what: what, meaning: meaning, remedy: remedy)
    }

    /// A malfunction.
    public static func failure(
        _ code: FindingCode, _ subject: String, _ what: String, meaning: String, remedy: String
    ) -> Finding {
        Finding(code: code, level: .failure, subject: subject, what: what, meaning: meaning, remedy: remedy)
    }

    /// The same finding at another level.
    func at(_ level: Level) -> Finding {
        var finding = self
        finding.level = level
        return finding
    }
}
