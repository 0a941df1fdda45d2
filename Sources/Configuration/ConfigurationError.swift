/// Everything that is wrong with the configuration, not only what was found first.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    public var problems: [Problem]

    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    /// One mistake and where it stands.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        public var file: String
        /// From 1; nil when the file as a whole is meant.
        public var line: Int?
        public var column: Int?
        public var text: String

        public init(file: String, line: Int? = nil, column: Int? = nil, text: String) {
            self.file = file
            self.line = line
            self.column = column
            self.text = text
        }

        /// `file:line:column: what is wrong`, the form that editors know.
        public var description: String {
            let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
            return "\(file)\(place): \(text)"
        }
    }
}
