/// What a command line held; every value in it was checked.
public struct ParsedOptions: Sendable {
    let syntax: Syntax
    let values: [String: String]
    /// As many as the syntax says, unless `answer` is there.
    public let operands: [String]

    /// What is to be printed, and nothing else done: the help text or the version, when one was asked for.
    public var answer: String? {
        if self[Syntax.help] { return syntax.helpText }
        guard let version = syntax.version, self[Syntax.versionFlag] else { return nil }
        return "\(syntax.name) \(version)\n"
    }

    public subscript(flag: Flag) -> Bool { values[flag.form.long] != nil }

    /// The value of an option; nil when it was not given. Given twice, the last one holds.
    public subscript<Value>(option: Option<Value>) -> Value? {
        values[option.form.long].flatMap { option.read($0) }
    }
}
