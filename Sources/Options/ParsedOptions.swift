/// Result of parsing a command line; all values are valid.
public struct ParsedOptions: Sendable {
    let syntax: Syntax
    let values: [String: String]
    /// Operands in order; their number matches the syntax unless `answer` is set.
    public let operands: [String]

    /// Text to print instead of any other action: the help text or the version, if requested.
    public var answer: String? {
        if self[Syntax.help] { return syntax.helpText }
        guard let version = syntax.version, self[Syntax.versionFlag] else { return nil }
        return "\(syntax.name) \(version)\n"
    }

    /// Whether a flag was given.
    public subscript(flag: Flag) -> Bool { values[flag.form.long] != nil }

    /// Value of an option, the last one if it was given repeatedly; nil if it was not given.
    public subscript<Value>(option: Option<Value>) -> Value? {
        values[option.form.long].flatMap { option.read($0) }
    }
}
