import WaymarkClient

/// Why content moved, in words.
public enum ExplainText {
    /// A line for each large correction and for each change of the frame, and one for all small corrections of a cause.
    public static func lines(_ corrections: [Correction]) -> [String] {
        guard !corrections.isEmpty else { return ["Content has not moved."] }
        let own = corrections.filter(hasOwnLine)
        let lines = own.map { "\(clock($0))  \(Words.line($0.text))\(effect($0))" }
        return lines + groups(corrections.filter { !hasOwnLine($0) }).map { group($0, isFirst: own.isEmpty) }
    }

    private static func hasOwnLine(_ correction: Correction) -> Bool {
        correction.large == true || correction.moved != nil || correction.causes.contains { events.contains($0) }
    }

    /// Corrections grouped by cause, in the order in which the causes came up.
    private static func groups(_ small: [Correction]) -> [[Correction]] {
        var causes: [String] = []
        for correction in small {
            let cause = correction.mainCause ?? ""
            if !causes.contains(cause) { causes.append(cause) }
        }
        return causes.map { cause in small.filter { ($0.mainCause ?? "") == cause } }
    }

    private static func group(_ alike: [Correction], isFirst: Bool) -> String {
        let what = alike.count == 1 ? "1 small correction" : "\(alike.count) small corrections"
        let cause = alike.first?.mainCause.map { " due to \(causes[$0] ?? Words.line($0))" } ?? ""
        let turn = alike.map(\.turn.magnitude).max() ?? 0
        let shift = alike.map(\.shift).max() ?? 0
        return "\(isFirst ? "" : "And ")\(what)\(cause), of \(turn.fixed(1))° and \(shift.fixed(1)) m"
            + (alike.count == 1 ? "." : " at most.")
    }

    /// Effect of a correction on the subject of the question.
    private static func effect(_ correction: Correction) -> String {
        guard let moved = correction.moved else { return "" }
        let angle = correction.angle.map { ", seen \($0.magnitude.fixed(1))° aside" } ?? ""
        return "; it moved \(moved.fixed(1)) m\(angle)"
    }

    /// Causes that are worth a line however small the correction was.
    private static let events: Set<String> = ["newGeneration", "firstPosition", "firstHeading", "headingSearch"]

    private static let causes = [
        "gnssPosition": "the GNSS position", "gnssVelocity": "the GNSS velocity",
        "magnetometer": "the magnetometer", "steps": "steps", "barometer": "the barometer",
        "rest": "zero-velocity updates",
        "unaided": "the position-hold assumption", "headingMonitor": "the heading monitor",
        "warmStart": "the warm start", "calibration": "a new calibration",
        "reanchor": "the moved origin",
    ]

    /// Time of day in UTC, or seconds since boot before the first fix.
    private static func clock(_ correction: Correction) -> String {
        guard let utc = correction.utc, utc.count >= 19 else { return "\(correction.time.seconds.fixed(1)) s" }
        return String(Words.line(utc).dropFirst(11).prefix(8))
    }
}
