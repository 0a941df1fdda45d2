import JSON

/// Kind of a place, from keys of OpenStreetMap.
package struct PlaceKind {
    /// Keys in order of precedence: the kind is the value of the first key that a feature has.
    private static let keys: [StaticString] = [
        "amenity", "shop", "tourism", "historic", "leisure", "healthcare", "public_transport", "railway", "aeroway",
        "office", "craft", "emergency", "man_made", "natural", "place", "highway", "building", "category", "type",
    ]

    package static let keyTexts = keys.map(\.description)

    /// Kind of a feature without any of the keys.
    static let unknown = "place"
    /// Maximum length of a kind. Unit: bytes.
    static let maximumLength = 60

    private var rank = PlaceKind.keys.count
    private var key: StaticString = ""
    private var value: JSONNode?

    /// Considers one property of a feature.
    mutating func consider(_ name: JSONNode, _ value: JSONNode) {
        guard value.kind == .text else { return }
        for (rank, key) in PlaceKind.keys.prefix(rank).enumerated() where name.equals(key) {
            // `building=yes` gives no kind, but another key may give one.
            if key.description == "building" && value.equals("yes") { return }
            (self.rank, self.key, self.value) = (rank, key, value)
            return
        }
    }

    /// Kind of the feature; nil if it has none of the keys.
    var text: String? {
        guard let value, let bytes = value.bytes else { return nil }
        // The value `yes`, as in `shop=yes`, makes the key the kind.
        if value.equals("yes") { return key.description }
        let first = bytes.prefix { $0 != UInt8(ascii: ";") }
        return PlainText.line(UnsafeRawBufferPointer(rebasing: first), maximumLength: Self.maximumLength)
    }
}

extension PlaceKind {
    /// Kind in the form that filters use, from a text such as `Drinking Water`. Letters become lower case, and an
    /// underscore replaces each run of characters other than letters and digits; nil if nothing remains.
    static func word(_ text: String) -> String? {
        guard let line = PlainText.line(text, maximumLength: maximumLength) else { return nil }
        var word = ""
        for character in line.lowercased() {
            if character.isLetter || character.isNumber {
                word.append(character)
            } else if !word.isEmpty, word.last != "_" {
                word.append("_")
            }
        }
        if word.last == "_" { word.removeLast() }
        return word.isEmpty ? nil : word
    }

    /// Kind of a place with these tags; nil if none of the keys is among them.
    static func word(ofTags tags: [String: String]) -> String? {
        for key in keys.lazy.map(\.description) {
            guard let value = tags[key], key != "building" || value != "yes" else { continue }
            if value == "yes" { return key }
            if let word = word(String(value.prefix { $0 != ";" })) { return word }
        }
        return nil
    }
}
