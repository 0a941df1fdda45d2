/// Declaration of a command-line option: a `Flag`, or an `Option` with a value.
package protocol OptionDeclaration: Sendable {
    var form: OptionForm { get }
    /// Returns the problem with a value; nil if the value is valid.
    func problem(with text: String) -> String?
}

/// Names of an option, `-s, --long=VALUE`, and its description in the help text.
package struct OptionForm: Sendable {
    /// Long name without the hyphens.
    package let long: String
    /// Short name, an ASCII character; nil if there is none.
    package let short: Character?
    /// Placeholder of the value in the help text; nil for a flag.
    package let value: String?
    package let help: String

    init(long: String, short: Character?, value: String?, help: String) {
        precondition(!long.isEmpty && long.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "an option needs a plain name")
        precondition(short == nil || short?.asciiValue != nil, "a short option is one ASCII character")
        self.long = long
        self.short = short
        self.value = value
        self.help = help
    }
}

/// An option without a value.
package struct Flag: OptionDeclaration {
    package let form: OptionForm

    package init(_ long: String, short: Character? = nil, help: String) {
        form = OptionForm(long: long, short: short, value: nil, help: help)
    }

    /// Always nil, because a flag has no value.
    package func problem(with text: String) -> String? { nil }
}

/// An option with a value, which is converted and checked when the command line is parsed.
package struct Option<Value: Sendable>: OptionDeclaration {
    package let form: OptionForm
    /// Description of valid values, which completes "'x' is not …".
    let expectation: String
    let read: @Sendable (String) -> Value?

    /// - Parameters:
    ///   - value: placeholder of the value in the help text.
    ///   - expectation: description of valid values, which completes "'x' is not …".
    ///   - read: converts a text; returns nil if it is not valid.
    package init(
        _ long: String, short: Character? = nil, value: String, help: String, expectation: String,
        read: @escaping @Sendable (String) -> Value?
    ) {
        form = OptionForm(long: long, short: short, value: value, help: help)
        self.expectation = expectation
        self.read = read
    }

    /// Returns a message that the value is not valid; nil if it is valid.
    package func problem(with text: String) -> String? {
        read(text) == nil ? "'\(text)' is not \(expectation)" : nil
    }
}

extension Option where Value == String {
    /// Declares an option whose value is any text that is not empty.
    package static func text(_ long: String, short: Character? = nil, value: String, help: String) -> Self {
        Option(long, short: short, value: value, help: help, expectation: "valid: it is empty") {
            $0.isEmpty ? nil : $0
        }
    }

    /// Declares an option whose value is one of the given words.
    ///
    /// - Parameter value: placeholder of the value in the help text; nil to show all words there, which suits a short
    ///   list.
    package static func choice(
        _ long: String, short: Character? = nil, value: String? = nil, of words: [String], help: String
    ) -> Self {
        Option(
            long, short: short, value: value ?? join(words, "|"), help: help,
            expectation: "one of: " + join(words, ", ")
        ) { words.contains($0) ? $0 : nil }
    }
}

extension Option where Value == Int {
    /// Declares an option whose value is an integer within a range.
    package static func integer(
        _ long: String, short: Character? = nil, value: String, in range: ClosedRange<Int>, help: String
    ) -> Self {
        let bounds = range.upperBound == .max ? "of at least \(range.lowerBound)" : "\(limits(range))"
        return Option(long, short: short, value: value, help: help, expectation: "a whole number \(bounds)") {
            guard let number = Int($0), range.contains(number) else { return nil }
            return number
        }
    }
}

extension Option where Value == Double {
    /// Declares an option whose value is a decimal number within a range; "inf", "nan" and hexadecimal notation are
    /// rejected.
    package static func number(
        _ long: String, short: Character? = nil, value: String, in range: ClosedRange<Double>, help: String
    ) -> Self {
        Option(long, short: short, value: value, help: help, expectation: "a number \(limits(range))") {
            guard $0.utf8.allSatisfy(isDecimal), let number = Double($0), range.contains(number) else { return nil }
            return number
        }
    }
}

extension Option where Value == Double {
    /// Declares an option whose value is a time: a number of seconds, or a number followed by a unit: `ms`, `s`, `min`,
    /// `m` (minutes) or `h`.
    ///
    /// - Parameter range: permitted range. Unit: seconds.
    package static func duration(
        _ long: String, short: Character? = nil, in range: ClosedRange<Double>, help: String
    ) -> Self {
        Option(
            long, short: short, value: "TIME", help: help,
            expectation: "a time \(limits(range)) seconds, such as 90, 90s, 5min or 1h"
        ) {
            for (unit, seconds) in secondsOfUnit where $0.hasSuffix(unit) {
                let digits = $0.dropLast(unit.count)
                guard digits.utf8.allSatisfy(isDecimal), let number = Double(digits) else { continue }
                return range.contains(number * seconds) ? number * seconds : nil
            }
            return nil
        }
    }
}

/// As `joined`, which is not specialised for arrays: its first call searches the conformances of the whole program.
private func join(_ words: [String], _ separator: String) -> String {
    var text = ""
    for word in words { text += text.isEmpty ? word : separator + word }
    return text
}

private let secondsOfUnit = ["": 1, "ms": 1e-3, "s": 1, "min": 60, "m": 60, "h": 3600]

private func limits<Bound: CustomStringConvertible>(_ range: ClosedRange<Bound>) -> String {
    "from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
}

/// Returns the text of a bound, without the ".0" of integral `Double` values.
private func plain<Bound: CustomStringConvertible>(_ bound: Bound) -> String {
    let text = bound.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func isDecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
    default: false
    }
}
