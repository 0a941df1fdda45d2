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
