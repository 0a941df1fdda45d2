/// All problems of a configuration, not only the first one.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The problems in the order in which they were found.
    public var problems: [Problem]

    /// One line per problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// One problem and its position.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Path of the file.
        public var file: String
        /// Line, counted from 1; nil for a problem of the whole file.
        public var line: Int?
        /// Column, counted from 1; nil if it is unknown.
        public var column: Int?
        /// Description of the problem.
        public var text: String

        /// Collects message and position.
        public init(file: String, line: Int? = nil, column: Int? = nil, text: String) {
            self.file = file
            self.line = line
            self.column = column
            self.text = text
        }

        /// `file:line:column: text`, the notation that editors parse.
        public var description: String {
            let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
            return "\(file)\(place): \(text)"
        }
    }
}

/// Sanitizing of text from a file for one line of a message.
enum Printable {
    /// The first `limit` characters, with control characters replaced by spaces.
    static func line(_ text: String, limit: Int = 200) -> String {
        var shown = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit { return shown + "…" }
            let isControl = scalar.value < 32 || (127..<160).contains(scalar.value)
            shown.unicodeScalars.append(isControl ? " " : scalar)
            count += 1
        }
        return shown
    }
}
