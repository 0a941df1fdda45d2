extension Configuration {
    /// Text of the reference file: every setting with its meaning, unit, range and default, commented out.
    ///
    /// `config/waymark.toml` is this text. With its keys uncommented it parses to the defaults.
    package static let reference: String = {
        var text = """
            # Settings of waymarkd. Every setting is commented out and shows its default.
            #
            # Files in waymark.toml.d/*.toml override this one, in the order of their names. A key that is unknown,
            # of the wrong type or out of range is an error; `waymarkd --check-config` names each by file and line.
            # Settings marked [reload] take effect on SIGHUP (`systemctl reload waymarkd`), the others at the next
            # start.

            """
        let defaults = Configuration()
        for section in Setting.Section.allCases {
            text += "\n# \(section.meaning)\n[\(section.rawValue)]\n"
            for setting in Setting.all where setting.section == section {
                text += "\n" + setting.reference(defaults)
            }
        }
        return text
    }()
}

extension Setting {
    /// Returns the lines of the reference file about this setting.
    fileprivate func reference(_ defaults: Configuration) -> String {
        let parts = [unit.map { "Unit: \($0)." }, "Range: \(range).", "Default: \(written(defaults))."]
        let facts = parts.compactMap { $0 }.joined(separator: " ") + (requiresRestart ? "" : " [reload]")
        let lines = Self.wrapped(meaning, width: 108) + [facts]
        return lines.map { "# \($0)\n" }.joined() + "#\(key) = \(written(defaults))\n"
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if !line.isEmpty && line.count + 1 + word.count > width {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] = line.isEmpty ? String(word) : line + " " + word
            }
        }
        return lines
    }
}
