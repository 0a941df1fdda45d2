/// Sanitizing of text from a file for one line of a message.
enum Printable {
    /// The first `limit` characters, with control characters replaced by spaces.
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
