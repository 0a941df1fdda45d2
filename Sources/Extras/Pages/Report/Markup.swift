import JSON

/// Writes markup that is both HTML and well-formed XML. All texts and attributes are escaped.
struct Markup {
    private var buffer = TextBuffer()

    var bytes: [UInt8] { buffer.bytes }

    typealias Attribute = (name: StaticString, value: String)

    /// Appends a constant text, such as a style sheet, without escaping it. It must not contain a character that needs
    /// escaping.
    mutating func verbatim(_ text: StaticString) { buffer.append(text) }

    /// Appends bytes that need no escaping, such as the page's own script or its data.
    mutating func verbatim(_ bytes: [UInt8]) { buffer.append(bytes) }

    /// Replaces each character that no page may contain with U+FFFD.
    static func harmless(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0) ? "\u{FFFD}" : $0 }))
    }

    /// Whether XML 1.0 forbids a character, or the character is a bidirectional control.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n": false
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}", "\u{202A}"..."\u{202E}",
            "\u{2066}"..."\u{2069}":
            true
        default: false
        }
    }

    mutating func text(_ text: String) { escape(text) }

    /// Appends an element, with the content that `content` appends.
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

    /// Appends an element that contains only a text.
    mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Appends an element for each text.
    mutating func elements(_ name: StaticString, _ attributes: [Attribute] = [], texts: [String]) {
        for text in texts { element(name, attributes, text: text) }
    }

    /// Appends a table with one row of headings.
    mutating func table(
        _ style: String, headings: (inout Markup) -> Void, rows: (inout Markup) -> Void
    ) {
        element("table", [("class", style)]) { table in
            table.element("thead") { $0.element("tr", [], headings) }
            table.element("tbody", [], rows)
        }
    }

    /// Appends a text of a drawing. Its position is in the drawing's coordinates.
    mutating func label(_ x: String, _ y: String, _ style: String, _ text: String) {
        element("text", [("x", x), ("y", y), ("class", style)], text: text)
    }

    /// Appends an element without content, such as `meta` or an SVG shape.
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

    /// Appends a text in which entities replace the special characters of markup. U+FFFD replaces bidirectional
    /// controls, and characters that XML 1.0 forbids.
    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": buffer.append("&amp;")
            case "<": buffer.append("&lt;")
            case ">": buffer.append("&gt;")
            case "\"": buffer.append("&quot;")
            case "'": buffer.append("&#39;")
            case _ where Self.isForbidden(scalar): buffer.append("\u{FFFD}".utf8)
            default: buffer.append(UTF8.encode(scalar)!)
            }
        }
    }
}

extension Double {
    /// The number with a fixed number of decimals. Zero has no sign, and a number that is not finite is a dash.
    func text(_ decimals: Int) -> String {
        guard isFinite else { return "–" }
        var buffer = TextBuffer()
        buffer.append(self, decimals: decimals)
        let text = String(decoding: buffer.bytes, as: UTF8.self)
        return text.utf8.allSatisfy { "-0.".utf8.contains($0) } ? String(text.drop { $0 == "-" }) : text
    }
}

/// Path data (`d`) of an SVG path: polylines with gaps between them.
struct Outline {
    private var buffer = TextBuffer()
    private var isDown = false

    var text: String { String(decoding: buffer.bytes, as: UTF8.self) }
    var isEmpty: Bool { buffer.count == 0 }

    /// Ends the current polyline, so that the next point begins a new one.
    mutating func lift() { isDown = false }

    /// Adds a point in the drawing's coordinates. A point that is not finite leaves a gap.
    mutating func go(_ x: Double, _ y: Double) {
        guard x.isFinite, y.isFinite else { return lift() }
        buffer.append(UInt8(ascii: isDown ? "L" : "M"))
        buffer.append(x, decimals: 1)
        buffer.append(UInt8(ascii: " "))
        buffer.append(y, decimals: 1)
        isDown = true
    }

    /// Closes the current polyline with a line to its first point.
    mutating func close() {
        buffer.append(UInt8(ascii: "Z"))
        isDown = false
    }
}
