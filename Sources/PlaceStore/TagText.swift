import JSON

/// Texts by name as the store keeps them: one JSON object, its names in order. And lists of texts: one JSON array.
package enum TagText {
    package static func write(_ tags: [String: String]) -> String {
        guard !tags.isEmpty else { return "{}" }
        var json = JSONWriter(capacity: 64 * tags.count)
        json.beginObject()
        for (name, text) in tags.sorted(by: { $0.key < $1.key }) {
            json.value(name)
            json.text.append(UInt8(ascii: ":"))
            json.value(text)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Tags of a JSON object; members that are no texts are left out.
    package static func read(_ text: String) -> [String: String] {
        guard text != "{}", let object = try? JSONReader.read(Array(text.utf8)).object() else { return [:] }
        var tags: [String: String] = [:]
        for (name, value) in object {
            if let name = name.string, let text = value.string { tags[name] = text }
        }
        return tags
    }

    package static func writeList(_ texts: [String]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for text in texts { json.value(text) }
        json.endArray()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    package static func readList(_ text: String) -> [String] {
        guard let array = try? JSONReader.read(Array(text.utf8)).array() else { return [] }
        return array.compactMap(\.string)
    }
}
