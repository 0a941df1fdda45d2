/// What a command line may carry: a `Flag` or an `Option` with a value.
public protocol OptionDeclaration: Sendable {
    /// How the option is written and explained.
    var form: OptionForm { get }
    /// Says what is wrong with a value as given; nil when it is good.
    func problem(with text: String) -> String?
}

/// How an option is written: `-s, --long=VALUE`, and its line of help.
public struct OptionForm: Sendable {
    public let long: String
    public let short: Character?
    /// The value's name in the help text; nil for a flag.
    public let value: String?
    public let help: String

    init(long: String, short: Character?, value: String?, help: String) {
        precondition(!long.isEmpty && long.utf8.allSatisfy { $0 > 32 && $0 < 127 }, "an option needs a plain name")
        precondition(short == nil || short?.asciiValue != nil, "a short option is one ASCII character")
        self.long = long
        self.short = short
        self.value = value
        self.help = help
    }
}

/// An option without a value: given or not given.
public struct Flag: OptionDeclaration {
    public let form: OptionForm

    public init(_ long: String, short: Character? = nil, help: String) {
        form = OptionForm(long: long, short: short, value: nil, help: help)
    }

    public func problem(with text: String) -> String? { nil }
}

/// An option with a value, read and checked when the command line is parsed.
public struct Option<Value: Sendable>: OptionDeclaration {
    public let form: OptionForm
    /// What a good value is, as the end of "'x' is not …".
    let expectation: String
    let read: @Sendable (String) -> Value?

    public init(
        _ long: String, short: Character? = nil, value: String, help: String, expectation: String,
        read: @escaping @Sendable (String) -> Value?
    ) {
        form = OptionForm(long: long, short: short, value: value, help: help)
        self.expectation = expectation
        self.read = read
    }

    public func problem(with text: String) -> String? {
        read(text) == nil ? "'\(text)' is not \(expectation)" : nil
    }
}

extension Option where Value == String {
    /// Any text but none.
    public static func text(_ long: String, short: Character? = nil, value: String, help: String) -> Self {
        Option(long, short: short, value: value, help: help, expectation: "valid: it is empty") {
            $0.isEmpty ? nil : $0
        }
    }

    /// One of a few words.
    public static func choice(_ long: String, short: Character? = nil, of words: [String], help: String) -> Self {
        Option(
            long, short: short, value: words.joined(separator: "|"), help: help,
            expectation: "one of: " + words.joined(separator: ", ")
        ) { words.contains($0) ? $0 : nil }
    }
}

extension Option where Value == Int {
    /// A whole number within a range.
    public static func integer(
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
    /// A decimal number within a range; "inf", "nan" and hexadecimal forms are refused.
    public static func number(
        _ long: String, short: Character? = nil, value: String, in range: ClosedRange<Double>, help: String
    ) -> Self {
        Option(long, short: short, value: value, help: help, expectation: "a number \(limits(range))") {
            guard $0.utf8.allSatisfy(isDecimal), let number = Double($0), range.contains(number) else { return nil }
            return number
        }
    }
}

private func limits<Bound>(_ range: ClosedRange<Bound>) -> String {
    "from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
}

/// Without the ".0" that whole numbers carry as Double.
private func plain<Bound>(_ bound: Bound) -> String {
    let text = "\(bound)"
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
