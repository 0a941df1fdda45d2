extension SettingValue {
    /// A boolean.
    static func toggle(_ field: Field<Bool>) -> SettingValue {
        SettingValue(
            field, range: "true or false", written: { "\($0)" },
            accept: { value, store in
                guard case .boolean(let flag) = value else { return "must be true or false, not \(value.kind)" }
                store(flag)
                return nil
            })
    }

    /// An integer within a range.
    static func whole(_ field: Field<Int>, _ range: ClosedRange<Int>) -> SettingValue {
        let shown = "\(range.lowerBound) to \(range.upperBound)"
        return SettingValue(
            field, range: shown, written: { "\($0)" },
            accept: { value, store in
                guard case .integer(let number) = value else { return "must be a whole number, not \(value.kind)" }
                guard let exact = Int(exactly: number), range.contains(exact) else {
                    return "\(number) is out of range: \(shown)"
                }
                store(exact)
                return nil
            })
    }

    /// 1 or -1.
    static func sign(_ field: Field<Int>) -> SettingValue {
        SettingValue(
            field, range: "1 or -1", written: { "\($0)" },
            accept: { value, store in
                guard case .integer(let number) = value, number.magnitude == 1 else { return "must be 1 or -1" }
                store(Int(number))
                return nil
            })
    }

    /// A finite number within a range.
    static func number(_ field: Field<Double>, _ range: ClosedRange<Double>) -> SettingValue {
        let shown = "\(decimal(range.lowerBound)) to \(decimal(range.upperBound))"
        return SettingValue(
            field, range: shown, written: decimal,
            accept: { value, store in
                guard let number = value.number else { return "must be a number, not \(value.kind)" }
                // A range does not contain NaN.
                guard range.contains(number) else { return "\(number) is out of range: \(shown)" }
                store(number)
                return nil
            })
    }

    /// An array of finite numbers.
    ///
    /// - Parameter check: returns the problem of an array; nil if it is valid.
    static func numbers(
        _ field: Field<[Double]>, range: String, check: @escaping @Sendable ([Double]) -> String?
    ) -> SettingValue {
        SettingValue(
            field, range: range, written: { "[" + $0.map(decimal).joined(separator: ", ") + "]" },
            accept: { value, store in
                guard case .array(let elements) = value else { return "must be an array of numbers, not \(value.kind)" }
                let numbers = elements.compactMap(\.number)
                guard numbers.count == elements.count, numbers.allSatisfy(\.isFinite) else {
                    return "must be an array of finite numbers only"
                }
                if let problem = check(numbers) { return problem }
                store(numbers)
                return nil
            })
    }

    /// One of the raw values of an enumeration.
    static func choice<Choice>(_ field: Field<Choice>) -> SettingValue
    where Choice: RawRepresentable<String> & CaseIterable & Sendable {
        let choices = Choice.allCases.map { quoted($0.rawValue) }
        let shown = choices.joined(separator: ", ")
        return SettingValue(
            field, range: shown, written: { quoted($0.rawValue) },
            accept: { value, store in
                guard case .text(let text) = value else { return "must be one of \(shown), not \(value.kind)" }
                guard let choice = Choice(rawValue: text) else {
                    let nearest = Spelling.nearest(to: text, among: Choice.allCases.map(\.rawValue))
                    let hint = nearest.map { "; did you mean \(quoted($0))?" } ?? ""
                    return "must be one of \(shown), not \(quoted(Printable.line(text, limit: 40)))\(hint)"
                }
                store(choice)
                return nil
            })
    }

    /// A text without control characters.
    ///
    /// - Parameter check: returns the problem of a text; nil if it is valid.
    static func text(
        _ field: Field<String>, range: String, check: @escaping @Sendable (String) -> String?
    ) -> SettingValue {
        SettingValue(
            field, range: range, written: quoted,
            accept: { value, store in
                guard case .text(let text) = value else { return "must be a string in quotes, not \(value.kind)" }
                guard !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) else {
                    return "must not contain control characters"
                }
                if let problem = check(text) { return problem }
                store(text)
                return nil
            })
    }

    /// Permission bits as octal digits in quotes: TOML's octal notation differs from that of `chmod`.
    static func fileMode(_ field: Field<UInt32>) -> SettingValue {
        let range = "three or four octal digits, \"0600\" to \"0777\""
        return SettingValue(
            field, range: range, written: { quoted("0" + String($0, radix: 8)) },
            accept: { value, store in
                guard case .text(let text) = value else { return "must be octal digits in quotes, such as \"0660\"" }
                let isOctal = (3...4).contains(text.utf8.count) && text.utf8.allSatisfy { (48...55).contains($0) }
                guard isOctal, let mode = UInt32(text, radix: 8), (0o600...0o777).contains(mode) else {
                    return "must be \(range)"
                }
                store(mode)
                return nil
            })
    }

    /// Shortest notation of a number: 60, not 60.0, since integers are accepted for every number.
    @Sendable static func decimal(_ number: Double) -> String {
        if let whole = Int(exactly: number), whole.magnitude < 1_000_000_000 { return "\(whole)" }
        return "\(number)"
    }

    /// A TOML basic string.
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
