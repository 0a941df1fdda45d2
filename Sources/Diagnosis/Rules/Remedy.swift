/// Command lines that mend, as one pastes them into a shell.
enum Remedy {
    static let systemFile = "/etc/waymark/waymark.toml"

    /// Opens the settings and puts them in force.
    ///
    /// - Parameter hint: for people: which setting, and what to make of it.
    static func edit(_ facts: BoardFacts, _ hint: String, by verb: String = "restart") -> String {
        let file = facts.configuration?.file ?? systemFile
        return "sudoedit \(file.shellQuoted) && sudo systemctl \(verb) waymarkd  # \(hint)"
    }

    /// The doctor once more, with the same settings and all rights.
    static func asRoot(_ facts: BoardFacts) -> String { "sudo waymark doctor" + option(facts) }

    /// `--config FILE` with a blank before it, where the settings are not the system's.
    static func option(_ facts: BoardFacts) -> String {
        facts.configuration?.chosen.map { " --config \($0.shellQuoted)" } ?? ""
    }

    static let install = "sudo apt install --reinstall waymark"
    static let orFromSources = "  # from the sources: sudo make install"
}

extension String {
    /// As one word of a shell, whatever is in it.
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
