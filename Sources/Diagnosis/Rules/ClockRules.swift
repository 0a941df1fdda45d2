import Geodesy

/// The system clock, which the magnetic model, calibration ages and fix ages depend on.
enum ClockRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let clock = facts.clock else { return [] }
        let year = DecimalYear.of(utcSeconds: clock.now).map { Int64($0) }
        guard clock.now >= Limits.earliestTime, let year else { return [unset(year)] }
        if let age = facts.receiver?.age, !Limits.fixAge.contains(age) { return [offset(age)] }
        if Double(year) >= WorldMagneticModel.validYears.upperBound { return [expired(year)] }
        let synchronised = clock.isSynchronised.map { $0 ? ", synchronised" : ", not synchronised" } ?? ""
        let proven = facts.receiver?.age == nil ? "" : ", in agreement with GNSS time"
        return [.ok(.clockSet, "clock", "the system clock is set\(synchronised)\(proven)")]
    }

    private static let synchronise = "sudo timedatectl set-ntp true"

    private static func unset(_ year: Int64?) -> Finding {
        .failure(
            .clockUnset, "clock",
            "the system clock is not set: it shows the year \(year.map(String.init) ?? "?")",
            meaning: "magnetic declination, calibration ages and timestamps of recordings are wrong",
            remedy: synchronise + "  # without a network: sudo date -s '2026-01-31 12:00'")
    }

    private static func offset(_ age: Double) -> Finding {
        let seconds = Amount.text(age.magnitude, digits: 1)
        return .warning(
            .clockOffset, "clock",
            age < 0
                ? "the system clock is at least \(seconds) s behind GNSS time"
                : "fixes appear \(seconds) s old: the system clock is ahead of GNSS time",
            meaning: "the epoch of a fix cannot be determined, so gnss.latency_seconds is assumed",
            remedy: synchronise)
    }

    private static func expired(_ year: Int64) -> Finding {
        .warning(
            .clockBeyondModel, "clock", "the year \(year) is outside the magnetic model",
            meaning: "WMM2025 is valid until 2030; the declination error grows each year after",
            remedy: "sudo apt update && sudo apt install --only-upgrade waymark  # or: " + synchronise)
    }
}
