/// One thing that was looked at: how it is, what that means, and what mends it.
public struct Finding: Hashable, Sendable {
    /// How grave it is.
    public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        case ok
        /// It works, but less well than it could.
        case warning
        /// What Waymark is for does not work.
        case failure

        private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
        /// By gravity.
        public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    }

    /// Which of all findings it is.
    public var code: FindingCode
    /// How grave it is.
    public var level: Level
    /// What it is about: a path, a device, a unit.
    public var subject: String
    /// What was seen.
    public var what: String
    /// What follows from it; empty where all is well.
    public var meaning: String
    /// The command that mends it, or what to do where no command does; nil where all is well.
    public var remedy: String?

    /// All is well.
    public static func ok(_ code: FindingCode, _ subject: String, _ what: String) -> Finding {
        Finding(code: code, level: .ok, subject: subject, what: what, meaning: "", remedy: nil)
    }

    /// Something could be better.
    public static func warning(
        _ code: FindingCode, _ subject: String, _ what: String, meaning: String, remedy: String
    ) -> Finding {
        Finding(code: code, level: .warning, subject: subject, what: what, meaning: meaning, remedy: remedy)
    }

    /// Something does not work.
    public static func failure(
        _ code: FindingCode, _ subject: String, _ what: String, meaning: String, remedy: String
    ) -> Finding {
        Finding(code: code, level: .failure, subject: subject, what: what, meaning: meaning, remedy: remedy)
    }

    /// The same as a failure or a warning.
    func at(_ level: Level) -> Finding {
        var finding = self
        finding.level = level
        return finding
    }
}
