import WaymarkClient

/// Why content moved, in words.
public enum ExplainText {
    /// Smaller corrections than these are summed up: nobody sees them. Units: degrees, metres.
    private static let leastTurn = 0.2
    private static let leastShift = 0.1

    /// A line for each correction that can be seen, and one for all that cannot.
    public static func lines(_ corrections: [Correction]) -> [String] {
        guard !corrections.isEmpty else { return ["Content has not moved."] }
        let seen = corrections.filter(isSeen)
        var lines = seen.map { "\(clock($0))  \(Words.line($0.text))\(effect($0))" }
        let small = corrections.count - seen.count
        if small > 0 {
            let what = small == 1 ? "1 correction" : "\(small) corrections"
            lines.append(
                "\(seen.isEmpty ? "" : "And ")\(what) of less than \(leastTurn.fixed(1))° and \(leastShift.fixed(1)) m"
                    + (small == 1 ? "." : " each."))
        }
        return lines
    }

    /// On what was asked for.
    private static func effect(_ correction: Correction) -> String {
        guard let moved = correction.moved else { return "" }
        let angle = correction.angle.map { ", seen \($0.magnitude.fixed(1))° aside" } ?? ""
        return "; it moved \(moved.fixed(1)) m\(angle)"
    }

    private static func isSeen(_ correction: Correction) -> Bool {
        correction.turn.magnitude >= leastTurn || correction.shift >= leastShift
            || correction.rise.magnitude >= leastShift || correction.causes.contains { events.contains($0) }
    }

    /// What is worth a line however little it moved.
    private static let events: Set<String> = ["newGeneration", "firstPosition", "firstHeading", "headingSearch"]

    /// Time of day in UTC, or seconds since boot while no fix has told it.
    private static func clock(_ correction: Correction) -> String {
        guard let utc = correction.utc, utc.count >= 19 else { return "\(correction.time.seconds.fixed(1)) s" }
        return String(Words.line(utc).dropFirst(11).prefix(8))
    }
}
