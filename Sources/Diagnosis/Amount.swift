/// Number formats of the findings.
enum Amount {
    /// Rounded to at most `digits` decimals, without trailing zeros: "9.81", "200".
    static func text(_ value: Double, digits: Int = 2) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        var power = 1.0
        for _ in 0..<digits { power *= 10 }
        let rounded = (value * power).rounded() / power
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }

    static func percent(_ share: Double) -> String { text(share * 100, digits: 0) + " %" }

    /// "200 MB", "950 kB".
    static func bytes(_ count: UInt64) -> String {
        count >= 1_000_000 ? "\(count / 1_000_000) MB" : "\(count / 1000) kB"
    }

    static func days(_ seconds: Double) -> String {
        let days = Int64(min(max(seconds, 0), 1e12) / 86_400)
        return days == 1 ? "1 day" : "\(days) days"
    }

    /// "a, b and 3 more".
    static func list(_ names: [String], limit: Int = 4) -> String {
        guard names.count > limit else { return names.joined(separator: ", ") }
        return names.prefix(limit).joined(separator: ", ") + " and \(names.count - limit) more"
    }
}
