import Geodesy

/// The system's clock, where it matters: the magnetic model's year, ages of what is kept, and the age of fixes.
enum ClockRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let clock = facts.clock else { return [] }
        let year = DecimalYear.of(utcSeconds: clock.now).map { Int64($0) }
        guard clock.now >= Limits.earliestTime, let year else { return [unset(year)] }
        if let age = facts.receiver?.age, !Limits.fixAge.contains(age) { return [offset(age)] }
        if Double(year) >= WorldMagneticModel.validYears.upperBound { return [expired(year)] }
        let synchronised = clock.isSynchronised.map { $0 ? ", synchronised" : ", not synchronised" } ?? ""
        let proven = facts.receiver?.age == nil ? "" : ", as the satellites say"
        return [.ok(.clockSet, "clock", "it is set\(synchronised)\(proven)")]
    }

    private static let synchronise = "sudo timedatectl set-ntp true"

    private static func unset(_ year: Int64?) -> Finding {
        .failure(
            .clockUnset, "clock",
            "it stands in the year \(year.map(String.init) ?? "of a broken clock"): it is not set",
            meaning: "north by the magnetic model, ages of calibrations and stamps of recordings are wrong",
            remedy: synchronise + "  # without a network: sudo date -s '2026-01-31 12:00'")
    }

    private static func offset(_ age: Double) -> Finding {
        let seconds = Amount.text(age.magnitude, digits: 1)
        return .warning(
            .clockOffset, "clock",
            age < 0
                ? "it is behind the satellites' time by at least \(seconds) s"
                : "fixes seem \(seconds) s old: it is ahead of the satellites' time",
            meaning: "the daemon cannot tell when a fix was taken, and supposes gnss.latency_seconds",
            remedy: synchronise)
    }

    private static func expired(_ year: Int64) -> Finding {
        .warning(
            .clockBeyondModel, "clock", "it stands in \(year), beyond the magnetic model",
            meaning: "the model of 2025 holds until 2030: magnetic north is off by more each year",
            remedy: "sudo apt update && sudo apt install --only-upgrade waymark  # or: " + synchronise)
    }
}
