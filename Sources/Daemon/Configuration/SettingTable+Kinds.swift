extension SettingTable {
    /// Makes a boolean setting.
    func toggle(
        _ key: String, _ field: Field<Part, Bool>, requiresRestart: Bool? = nil, _ meaning: String
    ) -> Setting {
        setting(
            key, field, meaning, range: "true or false", requiresRestart: requiresRestart, written: { "\($0)" },
            read: { value throws(SettingProblem) in
                guard case .boolean(let flag) = value else {
                    throw .invalid("must be true or false, not \(value.kind)")
                }
                return flag
            })
    }

    /// Makes a setting for an integer within a range.
    func whole(_ key: String, _ field: Field<Part, Int>, _ range: ClosedRange<Int>, _ meaning: String) -> Setting {
        let shown = "\(range.lowerBound) to \(range.upperBound)"
        return setting(
            key, field, meaning, range: shown, written: { "\($0)" },
            read: { value throws(SettingProblem) in
                guard case .integer(let number) = value else {
                    throw .invalid("must be a whole number, not \(value.kind)")
                }
                guard let exact = Int(exactly: number), range.contains(exact) else {
                    throw .invalid("\(number) is out of range: \(shown)")
                }
                return exact
            })
    }

    /// Makes a setting for a sign: 1 or -1.
    func sign(_ key: String, _ field: Field<Part, Int>, _ meaning: String) -> Setting {
        setting(
            key, field, meaning, range: "1 or -1", written: { "\($0)" },
            read: { value throws(SettingProblem) in
                guard case .integer(let number) = value, number.magnitude == 1 else {
                    throw .invalid("must be 1 or -1")
                }
                return Int(number)
            })
    }

    /// Makes a setting for a finite number within a range.
    func number(
        _ key: String, _ field: Field<Part, Double>, _ range: ClosedRange<Double>, _ meaning: String
    ) -> Setting {
        let shown = "\(TomlText.decimal(range.lowerBound)) to \(TomlText.decimal(range.upperBound))"
        return setting(
            key, field, meaning, range: shown, written: TomlText.decimal,
            read: { value throws(SettingProblem) in
                guard let number = value.number else { throw .invalid("must be a number, not \(value.kind)") }
                // No range contains NaN, so NaN is rejected too.
                guard range.contains(number) else { throw .invalid("\(number) is out of range: \(shown)") }
                return number
            })
    }

    /// Makes a setting for an array of finite numbers.
    func numbers(
        _ key: String, _ field: Field<Part, [Double]>, _ range: String,
        _ check: @escaping @Sendable ([Double]) -> String?, _ meaning: String
    ) -> Setting {
        setting(
            key, field, meaning, range: range,
            written: { "[" + $0.map(TomlText.decimal).joined(separator: ", ") + "]" },
            read: { value throws(SettingProblem) in
                guard case .array(let elements) = value else {
                    throw .invalid("must be an array of numbers, not \(value.kind)")
                }
                let numbers = elements.compactMap(\.number)
                guard numbers.count == elements.count, numbers.allSatisfy(\.isFinite) else {
                    throw .invalid("must be an array of finite numbers only")
                }
                if let problem = check(numbers) { throw .invalid(problem) }
                return numbers
            })
    }

    /// Makes a setting for one of the raw values of an enumeration.
    func choice<Choice>(_ key: String, _ field: Field<Part, Choice>, _ meaning: String) -> Setting
    where Choice: RawRepresentable<String> & CaseIterable & Sendable {
        let choices = Choice.allCases.map { TomlText.quoted($0.rawValue) }
        let shown = choices.joined(separator: ", ")
        return setting(
            key, field, meaning, range: shown, written: { TomlText.quoted($0.rawValue) },
            read: { value throws(SettingProblem) in
                guard case .text(let text) = value else { throw .invalid("must be one of \(shown), not \(value.kind)") }
                guard let choice = Choice(rawValue: text) else {
                    let nearest = Spelling.nearest(to: text, among: Choice.allCases.map(\.rawValue))
                    let hint = nearest.map { "; did you mean \(TomlText.quoted($0))?" } ?? ""
                    throw .invalid(
                        "must be one of \(shown), not \(TomlText.quoted(Printable.line(text, limit: 40)))\(hint)")
                }
                return choice
            })
    }

    /// Makes a setting for a text without control characters.
    ///
    /// - Parameter check: returns the problem of a text; nil if it is valid.
    func text(
        _ key: String, _ field: Field<Part, String>, _ range: String,
        _ check: @escaping @Sendable (String) -> String?, _ meaning: String
    ) -> Setting {
        setting(
            key, field, meaning, range: range, written: TomlText.quoted,
            read: { value throws(SettingProblem) in
                guard case .text(let text) = value else {
                    throw .invalid("must be a string in quotes, not \(value.kind)")
                }
                guard !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
                    throw .invalid("must not contain control characters")
                }
                if let problem = check(text) { throw .invalid(problem) }
                return text
            })
    }

    func path(_ key: String, _ field: Field<Part, String>, _ meaning: String) -> Setting {
        text(key, field, "absolute path", SettingChecks.path, meaning)
    }

    func optionalPath(_ key: String, _ field: Field<Part, String>, _ meaning: String) -> Setting {
        text(key, field, "absolute path, or empty", SettingChecks.optionalPath, meaning)
    }

    func address(_ key: String, _ field: Field<Part, String>, _ meaning: String) -> Setting {
        text(
            key, field, "numeric address and port (\"127.0.0.1:PORT\"), or empty", SettingChecks.address, meaning)
    }

    /// Makes a setting for permission bits, as octal digits in quotes, because TOML's octal notation differs from that
    /// of `chmod`.
    func fileMode(_ key: String, _ field: Field<Part, UInt32>, _ meaning: String) -> Setting {
        let range = "three or four octal digits, \"0600\" to \"0777\""
        return setting(
            key, field, meaning, range: range, written: { TomlText.quoted("0" + String($0, radix: 8)) },
            read: { value throws(SettingProblem) in
                guard case .text(let text) = value else {
                    throw .invalid("must be octal digits in quotes, such as \"0660\"")
                }
                let isOctal = (3...4).contains(text.utf8.count) && text.utf8.allSatisfy { (48...55).contains($0) }
                guard isOctal, let mode = UInt32(text, radix: 8), (0o600...0o777).contains(mode) else {
                    throw .invalid("must be \(range)")
                }
                return mode
            })
    }
}

/// Formats values in the notation of TOML.
private enum TomlText {
    /// Returns the shortest notation of a number: 60, not 60.0, because integers are accepted for every number.
    @Sendable static func decimal(_ number: Double) -> String {
        if let whole = Int(exactly: number), whole.magnitude < 1_000_000_000 { return "\(whole)" }
        return "\(number)"
    }

    /// Returns a text as a basic string of TOML.
    @Sendable static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}

extension TomlValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
}
