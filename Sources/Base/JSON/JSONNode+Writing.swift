extension JSONNode: JSONWritable {
    /// Appends the value. The members of objects are in the order of their names, so that equal values have equal
    /// bytes.
    ///
    /// Numbers have the fewest digits that read back as the same bits; from 0.0001 to 2⁵⁴ they have no exponent.
    public func write(into json: inout JSONWriter) {
        switch kind {
        case .null: json.value(json: "null".utf8)
        case .bool: json.value(bool ?? false)
        case .number: json.value(json: Self.text(number ?? 0).utf8)
        case .text: json.value(string ?? "")
        case .array:
            json.beginArray()
            for element in elements { element.write(into: &json) }
            json.endArray()
        case .object:
            json.beginObject()
            let named = members.map { (name: $0.name.string ?? "", value: $0.value) }
            for (name, value) in named.sorted(by: { $0.name < $1.name }) {
                json.key(text: name)
                value.write(into: &json)
            }
            json.endObject()
        }
    }

    private static func text(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
