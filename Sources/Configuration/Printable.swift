/// Text from a file, made fit for one line of a message.
enum Printable {
    /// At most `limit` characters, without control characters.
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
