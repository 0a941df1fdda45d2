import JSON

/// Text made of literals and values. Values are written as the track formats require: numbers with fixed decimals,
/// times, escaped XML. A nil value is left out.
package struct TrackText: ExpressibleByStringInterpolation {
    private let text: TextBuffer

    var bytes: [UInt8] { text.bytes }

    package init(stringLiteral literal: String) { self.init(stringInterpolation: StringInterpolation(literal)) }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text: TextBuffer

        package init(literalCapacity: Int, interpolationCount: Int) {
            text = TextBuffer(capacity: literalCapacity + 16 * interpolationCount)
        }

        fileprivate init(_ literal: String) {
            self.init(literalCapacity: literal.utf8.count, interpolationCount: 0)
            appendLiteral(literal)
        }

        package mutating func appendLiteral(_ literal: String) { text.append(literal.utf8) }

        package mutating func appendInterpolation(_ value: Double?, _ decimals: Int) {
            if let value { text.append(value, decimals: decimals) }
        }

        package mutating func appendInterpolation(_ value: Int64) { text.append(value) }

        package mutating func appendInterpolation(_ bytes: [UInt8]) { text.append(bytes) }

        package mutating func appendInterpolation(_ plain: String) { text.append(plain.utf8) }

        package mutating func appendInterpolation(_ part: TrackText) { text.append(part.bytes) }

        /// Appends a time in UTC. Unit: nanoseconds since 1970.
        package mutating func appendInterpolation(utc nanoseconds: Int64?) {
            if let nanoseconds { text.append(rfc3339: nanoseconds) }
        }

        /// Appends nanoseconds as seconds.
        package mutating func appendInterpolation(seconds nanoseconds: Int64?) {
            if let nanoseconds { text.append(seconds: nanoseconds) }
        }

        /// Appends text as the content of an XML element. Characters that XML does not allow are left out.
        package mutating func appendInterpolation(xml content: String) {
            for scalar in content.unicodeScalars {
                switch scalar {
                case "&": text.append("&amp;")
                case "<": text.append("&lt;")
                case ">": text.append("&gt;")
                case "\"": text.append("&quot;")
                case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": continue
                default: text.append(String(scalar).utf8)
                }
            }
        }
    }
}

extension TextBuffer {
    package mutating func write(_ text: TrackText) { append(text.bytes) }
}
