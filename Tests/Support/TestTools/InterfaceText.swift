import Varlink

/// Names that a `.varlink` file declares, for servers of tests and for comparison with what is generated.
package struct InterfaceText {
    /// Error of a text that is not an interface description.
    package struct SyntaxError: Error, Equatable, CustomStringConvertible {
        /// Number of the line, counted from 1.
        package let line: Int
        /// Reason why the line is invalid.
        package let problem: String
        /// Line and reason.
        package var description: String { "interface description, line \(line): \(problem)" }
    }

    /// Name of the interface, such as `org.varlink.service`.
    package let name: String
    /// Description as read, including comments.
    package let text: String
    /// Parameter names of each method.
    package let methods: [String: Set<String>]
    /// Names of the errors, without the interface.
    package let errors: Set<String>

    /// Extracts the names from `text`; only the nesting of types is checked.
    package init(text: String) throws(SyntaxError) {
        var scanner = InterfaceScanner(text)
        try scanner.expect("interface")
        name = try scanner.word("the interface's name")
        var methods: [String: Set<String>] = [:]
        var errors: Set<String> = []
        while let keyword = scanner.next() {
            let member = try scanner.word("a name after \(keyword)")
            switch keyword {
            case "type": _ = try scanner.fields()
            case "error":
                _ = try scanner.fields()
                errors.insert(member)
            case "method":
                methods[member] = try scanner.fields()
                try scanner.expect("->")
                _ = try scanner.fields()
            default: throw scanner.error("\(keyword) is neither type, method nor error")
            }
        }
        self.text = text
        self.methods = methods
        self.errors = errors
    }

    /// The interface as a server needs it.
    package var description: InterfaceDescription { InterfaceDescription(name: name, text: text, methods: methods) }
}

/// Splits an interface description into words and signs.
private struct InterfaceScanner {
    private var tokens: [(text: Substring, line: Int)] = []
    private var position = 0

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let code = line.prefix { $0 != "#" }
            var rest = code[...]
            while let first = rest.first {
                let length: Int
                if InterfaceScanner.isWord(first) {
                    length = rest.prefix(while: InterfaceScanner.isWord).count
                } else {
                    length = rest.hasPrefix("->") ? 2 : 1
                }
                if !first.isWhitespace { tokens.append((rest.prefix(length), index + 1)) }
                rest = rest.dropFirst(length)
            }
        }
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "." || character == "_")
    }

    func error(_ problem: String) -> InterfaceText.SyntaxError {
        let line = tokens.isEmpty ? 1 : tokens[min(max(position - 1, 0), tokens.count - 1)].line
        return InterfaceText.SyntaxError(line: line, problem: problem)
    }

    mutating func next() -> String? {
        guard position < tokens.count else { return nil }
        position += 1
        return String(tokens[position - 1].text)
    }

    mutating func expect(_ text: String) throws(InterfaceText.SyntaxError) {
        guard next() == text else { throw error("\(text) is missing") }
    }

    mutating func word(_ what: String) throws(InterfaceText.SyntaxError) -> String {
        guard let word = next(), word.first.map(InterfaceScanner.isWord) == true else {
            throw error("\(what) is missing")
        }
        return word
    }

    /// Names before a colon within parentheses, excluding nested parentheses.
    mutating func fields() throws(InterfaceText.SyntaxError) -> Set<String> {
        try expect("(")
        var depth = 1
        var names: Set<String> = []
        while depth > 0 {
            guard let token = next() else { throw error("a parenthesis is not closed") }
            if token == "(" { depth += 1 }
            if token == ")" { depth -= 1 }
            if token == ":", depth == 1, position >= 2 { names.insert(String(tokens[position - 2].text)) }
        }
        return names
    }
}
