/// A positional argument of a command.
public struct Operand: Sendable {
    public let name: String
    public let isOptional: Bool

    public init(_ name: String, optional: Bool = false) {
        self.name = name
        isOptional = optional
    }

    var usage: String { isOptional ? "[\(name)]" : name }
}

/// What a program or one of its commands takes on its command line: the source of both parsing and help.
public struct Syntax: Sendable {
    /// A titled group of options in the help text.
    public struct Group: Sendable {
        public let title: String
        public let options: [any OptionDeclaration]

        public init(_ title: String, _ options: [any OptionDeclaration]) {
            self.title = title
            self.options = options
        }
    }

    /// As it is typed, such as "waymark watch".
    public let name: String
    /// What it does; stands under the usage line of the help text.
    public let summary: String
    public let operands: [Operand]
    public let groups: [Group]
    /// Stands under the options in the help text.
    public let notes: String
    /// Everything from the first operand on is left as operands: the options behind it are another command's.
    public let stopsAtOperand: Bool

    /// The program's version, where `--version` is understood.
    public let version: String?

    /// - Parameters:
    ///   - options: shown under "Options:"; `common` under "Common options:", where `--help` joins them.
    ///   - version: makes `--version` understood, which answers with the name and this.
    public init(
        name: String, summary: String, operands: [Operand] = [], options: [any OptionDeclaration] = [],
        common: [any OptionDeclaration] = [], notes: String = "", version: String? = nil, stopsAtOperand: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.notes = notes
        self.version = version
        self.stopsAtOperand = stopsAtOperand
        let everywhere = common + (version == nil ? [] : [Syntax.versionFlag]) + [Syntax.help]
        groups =
            options.isEmpty
            ? [Group("Options:", everywhere)]
            : [Group("Options:", options), Group("Common options:", everywhere)]
        let names = groups.flatMap(\.options).map(\.form.long)
        precondition(Set(names).count == names.count, "an option is declared twice")
    }

    static let help = Flag("help", short: "h", help: "Show this help and exit")
    static let versionFlag = Flag("version", help: "Show the version and exit")

    var options: [any OptionDeclaration] { groups.flatMap(\.options) }

    var usage: String {
        (["[OPTION...]"] + operands.map(\.usage) + (stopsAtOperand ? ["[ARGUMENT...]"] : [])).joined(separator: " ")
    }

    /// The whole help text, ending in a newline.
    public var helpText: String {
        let table = OptionTable(groups: groups)
        var lines = table.help(program: name, usage: usage).split(separator: "\n", omittingEmptySubsequences: false)
        lines.insert(contentsOf: [Substring(summary)], at: 1)
        let text = lines.joined(separator: "\n")
        return notes.isEmpty ? text : text + "\n" + notes + "\n"
    }

    /// Takes the arguments apart and checks every value.
    ///
    /// With `--help` or `--version` among them nothing else is checked: `answer` of the result is then to be printed.
    /// - Parameter arguments: without the program's name.
    /// - Throws: `UsageError` that says what is wrong and where help is.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        let table = OptionTable(groups: groups)
        let result: OptionTable.Result
        do {
            result = try table.parse(arguments, program: name, stopsAtOperand: stopsAtOperand)
        } catch {
            throw UsageError(message: error.message, program: name)
        }
        let parsed = ParsedOptions(syntax: self, values: result.values, operands: result.operands)
        if parsed.answer != nil { return parsed }
        try checkValues(parsed)
        try checkOperands(parsed.operands)
        return parsed
    }

    private func checkValues(_ parsed: ParsedOptions) throws(UsageError) {
        for option in options {
            guard let text = parsed.values[option.form.long], let problem = option.problem(with: text) else { continue }
            throw UsageError(message: "--\(option.form.long): \(problem)", program: name)
        }
    }

    private func checkOperands(_ given: [String]) throws(UsageError) {
        let required = operands.filter { !$0.isOptional }
        if given.count < required.count {
            throw UsageError(message: "missing \(required[given.count].name)", program: name)
        }
        if given.count > operands.count, !stopsAtOperand {
            throw UsageError(message: "'\(given[operands.count])' is an unexpected argument", program: name)
        }
    }
}
