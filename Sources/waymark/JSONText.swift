import JSON

/// Messages as JSON text.
enum JSONText {
    /// A route of the longest document has more values than other documents may have.
    private static let limits = JSONLimits(values: .max, text: .max)

    /// One object on one line, its keys in alphabetical order, so that equal messages are equal lines.
    static func line(_ message: some JSONWritable) throws -> String {
        var json = JSONWriter(precision: .exact)
        message.write(into: &json)
        var sorted = JSONWriter(capacity: json.bytes.count)
        try JSONReader.read(json.bytes, limits: limits).write(into: &sorted)
        return String(decoding: sorted.bytes, as: UTF8.self) + "\n"
    }
}
