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

    /// "1.25°/s", of rad/s.
    static func turnRate(_ rate: Double) -> String { text(rate * 180 / .pi) + "°/s" }

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

/// Command lines that fix problems, ready to paste into a shell.
enum Remedy {
    static let systemFile = "/etc/waymark/waymark.toml"

    /// Opens the settings in an editor and applies them.
    ///
    /// - Parameter hint: comment: the setting to change and its value.
    static func edit(_ facts: BoardFacts, _ hint: String, by verb: String = "restart") -> String {
        let file = facts.configuration?.file ?? systemFile
        return "sudoedit \(file.shellQuoted) && sudo systemctl \(verb) waymarkd  # \(hint)"
    }

    /// The doctor as root, with the same settings.
    static func asRoot(_ facts: BoardFacts) -> String { "sudo waymark doctor" + option(facts) }

    /// `--config FILE` with a leading blank; empty for the system's settings.
    static func option(_ facts: BoardFacts) -> String {
        facts.configuration?.chosen.map { " --config \($0.shellQuoted)" } ?? ""
    }

    /// Makes the caller a member of a group.
    static func join(_ group: String) -> String {
        "sudo usermod -aG \(group.shellQuoted) \"$USER\"  # then log in again"
    }

    static let install = "sudo apt install --reinstall waymark"
    static let orFromSources = "  # from the sources: sudo make install"
}

extension String {
    /// Quoted as one shell word.
    var shellQuoted: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "/._-:@%+=,".unicodeScalars.contains(scalar)
        }
        guard !isPlain || isEmpty else { return self }
        var quoted = "'"
        for character in unicodeScalars {
            if character == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(character) }
        }
        return quoted + "'"
    }
}
