import Messages

/// Texts of a notification. Names are untrusted: they are reduced to one line, and never interpreted as markup.
package struct NotificationText: Equatable, Sendable {
    package let summary: String
    private let plainBody: String

    /// Distance beyond any place on the earth. Unit: metres.
    private static let maximumDistance = 1e8
    /// Maximum length of a line. Unit: characters.
    private static let maximumLength = 200

    package init(summary: String, body: String) {
        self.summary = Self.line(summary)
        plainBody = Self.line(body)
    }

    /// Makes a notification that a place was reached.
    ///
    /// - Parameters:
    ///   - distance: distance in metres; nil for none.
    ///   - kind: kind of the place, such as `drinking_water`; nil while it is unknown.
    ///   - language: language of the distance; kinds are as their source names them.
    package static func place(
        name: String, distance: Double?, kind: String?, in language: Language
    ) -> NotificationText {
        let kind = kind.map { String($0.map { $0 == "_" ? " " : $0 }) }
        let distanceText = distance.map { metres in
            ShortDistance.text(metres: Int(min(max(0, metres), maximumDistance).rounded()), in: language)
        }
        let parts = [kind, distanceText].compactMap(\.self).filter { !$0.isEmpty }
        return NotificationText(
            summary: name.isEmpty ? kind ?? "Place" : name, body: parts.joined(separator: ", "))
    }

    /// Returns the body, escaped if the server interprets it as markup.
    package func body(hasMarkup: Bool) -> String {
        guard hasMarkup else { return plainBody }
        // Escaped scalar by scalar: a combining mark after a sign hides the sign from comparisons of characters, but
        // not from parsers.
        let signs: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"]
        return plainBody.unicodeScalars.map { signs[$0] ?? String($0) }.joined()
    }

    private static func line(_ text: String) -> String {
        String(Words.line(text).prefix(maximumLength))
    }
}
