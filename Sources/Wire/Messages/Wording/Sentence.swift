/// Message with the values of its placeholders.
package struct Sentence: Sendable {
    private let message: Message
    private var distance: SpokenDistance?
    /// Angle. Unit: degrees.
    private var degrees: Int?
    private var texts: [String: String]

    /// Makes a sentence without a distance; `texts` contains the other values by the names of their placeholders.
    package init(_ message: Message, _ texts: [String: String] = [:]) {
        self.message = message
        self.texts = texts
    }

    /// Makes a sentence with a distance; nil if the distance is not finite. Unit: metres.
    package init?(_ message: Message, metres: Double?, _ texts: [String: String] = [:]) {
        guard let metres, let distance = SpokenDistance(metres) else { return nil }
        self.init(message, texts)
        self.distance = distance
    }

    /// The sentence with the magnitude of an angle, rounded to whole degrees. Unit: degrees.
    package func with(degrees: Double) -> Sentence {
        var sentence = self
        sentence.degrees = degrees.isFinite ? Int(min(degrees.magnitude, Self.maximumDegrees).rounded()) : nil
        return sentence
    }

    /// Maximum angle, larger than any correction of the content. Unit: degrees.
    private static let maximumDegrees = 1e6

    /// The sentence in a language, without a full stop.
    package func text(in language: Language) -> String {
        let catalogue = language.catalogue
        return catalogue.text(message).filled { name in
            if let role = SpokenDistance.Role(rawValue: name) { return distance?.text(role, in: catalogue) ?? "" }
            if name == Self.angle { return degrees.map { Self.text(degrees: $0, catalogue) } ?? "" }
            return texts[name] ?? ""
        }
    }

    /// Name of the placeholder for an angle.
    private static let angle = "degrees"

    private static func text(degrees: Int, _ catalogue: Catalogue) -> String {
        catalogue.text(.degrees, number: degrees).filled { _ in String(degrees) }
    }
}

extension String {
    /// Text with each `{name}` replaced by a value; braces within a value are kept.
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
