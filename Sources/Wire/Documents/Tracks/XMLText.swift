import JSON

extension TextBuffer {
    /// Appends text as content of an XML element; characters that XML cannot have are left out.
    mutating func append(xml text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": append("&amp;" as StaticString)
            case "<": append("&lt;" as StaticString)
            case ">": append("&gt;" as StaticString)
            case "\"": append("&quot;" as StaticString)
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": continue
            default: append(Array(String(scalar).utf8))
            }
        }
    }
}
