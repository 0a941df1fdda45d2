/// Message with what belongs into its placeholders.
package struct Sentence: Sendable {
    private let message: Message
    private var distance: SpokenDistance?
    private var texts: [String: String]

    /// Sentence without a distance; `texts` by placeholder.
    package init(_ message: Message, _ texts: [String: String] = [:]) {
        self.message = message
        self.texts = texts
    }

    /// Sentence with a distance. Unit: metres. Nil for a distance that is not finite.
    package init?(_ message: Message, metres: Double?, _ texts: [String: String] = [:]) {
        guard let metres, let distance = SpokenDistance(metres) else { return nil }
        self.init(message, texts)
        self.distance = distance
    }

    /// The sentence in a language, without a full stop.
    package func text(in language: Language) -> String {
        let catalogue = language.catalogue
        return catalogue.text(message).filled { name in
            if let role = SpokenDistance.Role(rawValue: name) { return distance?.text(role, in: catalogue) ?? "" }
            return texts[name] ?? ""
        }
    }
}

extension String {
    /// Text with each `{name}` replaced by a value, whose own braces mean nothing.
    func filled(_ value: (String) -> String) -> String {
        var text = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += value(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
