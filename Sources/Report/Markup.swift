import JSON

/// Text of elements and attributes that is HTML and well-formed XML alike; whatever is put in is escaped.
struct Markup {
    private var buffer = TextBuffer()

    var bytes: [UInt8] { buffer.bytes }

    /// An attribute and its value.
    typealias Attribute = (name: StaticString, value: String)

    /// Text that no reader may change, such as the style sheet: it must hold no character that has to be escaped.
    mutating func verbatim(_ text: StaticString) { buffer.append(text) }

    mutating func text(_ text: String) { escape(text) }

    /// An element with what `content` puts into it.
    mutating func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: (inout Markup) -> Void
    ) {
        open(name, attributes)
        buffer.append(">")
        content(&self)
        buffer.append("</")
        buffer.append(name)
        buffer.append(">\n")
    }

    /// An element with nothing but a text in it.
    mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element without content, such as `meta` and the shapes of a drawing.
    mutating func empty(_ name: StaticString, _ attributes: [Attribute] = []) {
        open(name, attributes)
        buffer.append("/>\n")
    }

    private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
        buffer.append("<")
        buffer.append(name)
        for attribute in attributes {
            buffer.append(" ")
            buffer.append(attribute.name)
            buffer.append("=\"")
            escape(attribute.value)
            buffer.append("\"")
        }
    }

    /// Markup's own characters as entities; what XML 1.0 allows nowhere as the sign for a character that was lost.
    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": buffer.append("&amp;")
            case "<": buffer.append("&lt;")
            case ">": buffer.append("&gt;")
            case "\"": buffer.append("&quot;")
            case "'": buffer.append("&#39;")
            case "\t", "\n": buffer.append(UInt8(scalar.value))
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}", "\u{202A}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                buffer.append("\u{FFFD}".utf8)
            default: buffer.append(UTF8.encode(scalar)!)
            }
        }
    }
}

extension Double {
    /// With so many digits behind the point, as drawings and tables have it; a zero has no sign.
    func text(_ decimals: Int) -> String {
        var buffer = TextBuffer()
        buffer.append(self, decimals: decimals)
        let text = String(decoding: buffer.bytes, as: UTF8.self)
        return text.utf8.allSatisfy { "-0.".utf8.contains($0) } ? String(text.drop { $0 == "-" }) : text
    }
}
