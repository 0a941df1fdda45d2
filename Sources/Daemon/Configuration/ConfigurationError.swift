/// All problems of a configuration, not only the first one.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    package var problems: [Problem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }

    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// Line, counted from 1; nil for a problem of the whole file.
        package var line: Int?
        /// Column, counted from 1; nil if it is unknown.
        package var column: Int?
        package var text: String

        /// `file:line:column: text`, the notation that editors parse.
        package var description: String {
            let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
            return "\(file)\(place): \(text)"
        }
    }
}

/// Makes text from a file safe to show on one line of a message.
enum Printable {
    /// Returns the first `limit` characters, with control characters replaced by spaces.
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
