/// A line for a terminal: pieces of text, each in a style of its own.
public struct StyledLine: Equatable, Sendable {
    /// Style of a piece of text, as far as a terminal can show it.
    public enum Style: Equatable, Sendable {
        case plain
        /// Emphasis: to be seen first.
        case strong
        case good
        case warning
        case faint

        /// The parameters of "Select Graphic Rendition" (ECMA-48, 8.3.117); nil for none.
        fileprivate var rendition: String? {
            switch self {
            case .plain: nil
            case .strong: "1"
            case .good: "32"
            case .warning: "1;33"
            case .faint: "2"
            }
        }
    }

    private struct Piece: Equatable, Sendable {
        var text: String
        var style: Style
    }

    private var pieces: [Piece]

    /// Makes a line of one piece.
    public init(_ text: String = "", _ style: Style = .plain) { pieces = [Piece(text: text, style: style)] }

    /// Appends a piece of text.
    public mutating func append(_ text: String, _ style: Style = .plain) {
        pieces.append(Piece(text: text, style: style))
    }

    /// Text without styles.
    public var text: String { pieces.map(\.text).joined() }

    /// The first `columns` characters, with escape sequences where `colour` allows them.
    public func rendered(columns: Int, colour: Bool) -> String {
        var left = columns
        var result = ""
        for piece in pieces where left > 0 {
            let text = piece.text.prefix(left)
            left -= text.count
            if colour, let rendition = piece.style.rendition {
                result += "\u{1B}[\(rendition)m\(text)\u{1B}[0m"
            } else {
                result += text
            }
        }
        return result
    }
}
