/// Declaration of a positional argument of a command.
package struct Operand: Sendable {
    /// Name in the usage line, such as `FILE`.
    package let name: String
    package let isOptional: Bool

    package init(_ name: String, optional: Bool = false) {
        self.name = name
        isOptional = optional
    }

    var usage: String { isOptional ? "[\(name)]" : name }
}

/// Command-line syntax of a program or one of its commands, from which both parser and help text are derived.
package struct Syntax: Sendable {
    /// A group of options in the help text.
    struct Group: Sendable {
        /// Heading of the group, such as "Options:".
        let title: String
        let options: [any OptionDeclaration]
    }

    /// The command as typed, such as "waymark watch".
    package let name: String
    /// Purpose of the command, shown below the usage line.
    package let summary: String
    package let operands: [Operand]
    let groups: [Group]
    private let makeNotes: @Sendable () -> String
    /// Whether parsing stops at the first operand, because the options after it belong to a subcommand.
    package let stopsAtOperand: Bool

    /// Version printed by `--version`; nil if the option does not exist.
    package let version: String?

    /// - Parameters:
    ///   - options: options shown under "Options:".
    ///   - common: options shown under "Common options:", together with `--help`.
    ///   - version: version that `--version` prints after the name; nil to omit this option.
    package init(
        name: String, summary: String, operands: [Operand] = [], options: [any OptionDeclaration] = [],
        common: [any OptionDeclaration] = [], notes: @autoclosure @escaping @Sendable () -> String = "",
        version: String? = nil, stopsAtOperand: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        makeNotes = notes
        self.version = version
        self.stopsAtOperand = stopsAtOperand
        let everywhere = common + (version == nil ? [] : [Syntax.versionFlag]) + [Syntax.help]
        groups =
            options.isEmpty
            ? [Group(title: "Options:", options: everywhere)]
            : [Group(title: "Options:", options: options), Group(title: "Common options:", options: everywhere)]
    }

    /// Text below the options in the help text.
    package var notes: String { makeNotes() }

    static let help = Flag("help", short: "h", help: "Show this help and exit")
    static let versionFlag = Flag("version", help: "Show the version and exit")

    var options: [any OptionDeclaration] { groups.flatMap(\.options) }

    var usage: String {
        (["[OPTION...]"] + operands.map(\.usage) + (stopsAtOperand ? ["[ARGUMENT...]"] : [])).joined(separator: " ")
    }

    /// Complete help text, which ends in a newline.
    package var helpText: String {
        let names = options.map(\.form.long)
        precondition(Set(names).count == names.count, "an option is declared twice")
        let table = OptionTable(groups: groups)
        var lines = table.help(program: name, usage: usage).split(separator: "\n", omittingEmptySubsequences: false)
        lines.insert(contentsOf: [Substring(summary)], at: 1)
        let text = lines.joined(separator: "\n")
        return notes.isEmpty ? text : text + "\n" + notes + "\n"
    }

    /// Parses the arguments and checks all values.
    ///
    /// If `--help` or `--version` is among the arguments, values and operands are not checked: the caller then prints
    /// `answer` of the result.
    ///
    /// - Parameter arguments: arguments without the program's name.
    /// - Throws: `UsageError` with the problem and a reference to `--help`.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
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

/// Result of parsing a command line; all values are valid.
package struct ParsedOptions: Sendable {
    let syntax: Syntax
    let values: OptionValues
    /// Operands in order; their number matches the syntax unless `answer` is set.
    package let operands: [String]

    /// Text to print instead of any other action: the help text or the version, if requested.
    package var answer: String? {
        if self[Syntax.help] { return syntax.helpText }
        guard let version = syntax.version, self[Syntax.versionFlag] else { return nil }
        return "\(syntax.name) \(version)\n"
    }

    package subscript(flag: Flag) -> Bool { values[flag.form.long] != nil }

    /// Value of an option; nil if it was not given. If the option was given repeatedly, its last value counts.
    package subscript<Value>(option: Option<Value>) -> Value? {
        values[option.form.long].flatMap { option.read($0) }
    }
}

/// Error for an invalid command line. Programs print it on standard error and exit with `exitCode`.
package struct UsageError: Error, CustomStringConvertible, Equatable {
    /// Exit status of every program of this package after a usage error.
    package static let exitCode: Int32 = 2

    package let message: String
    /// The program or command as typed, such as "waymark watch".
    package let program: String

    package init(message: String, program: String) {
        self.message = message
        self.program = program
    }

    /// The message with its program, and a reference to `--help`.
    package var description: String { "\(program): \(message)\nTry '\(program) --help'." }
}
