/// A line for a terminal: pieces of text, each with its own style.
package struct StyledLine: Equatable, Sendable {
    /// Style of a piece of text, as far as a terminal can show it; the raw values are the parameters of "Select Graphic
    /// Rendition" (ECMA-48, 8.3.117).
    package enum Style: String, Sendable {
        case plain = ""
        /// Emphasis.
        case strong = "1"
        case good = "32"
        case warning = "1;33"
        case bad = "1;31"
        case faint = "2"
    }

    private struct Piece: Equatable, Sendable {
        var text: String
        var style: Style
    }

    private var pieces: [Piece]

    package init(_ text: String = "", _ style: Style = .plain) { pieces = [Piece(text: text, style: style)] }

    package mutating func append(_ text: String, _ style: Style = .plain) {
        pieces.append(Piece(text: text, style: style))
    }

    package var text: String { pieces.map(\.text).joined() }

    /// Returns the first `columns` characters, with escape sequences if `colour` permits them.
    package func rendered(columns: Int, colour: Bool) -> String {
        var left = columns
        var result = ""
        for piece in pieces where left > 0 {
            let text = piece.text.prefix(left)
            left -= text.count
            let isStyled = colour && piece.style != .plain
            result += isStyled ? "\u{1B}[\(piece.style.rawValue)m\(text)\u{1B}[0m" : String(text)
        }
        return result
    }
}

package struct Canvas: Equatable, Sendable {
    /// Whether the terminal shows more than ASCII.
    package var unicode: Bool
    /// Whether the terminal shows colours and other text attributes.
    package var colour: Bool
    package var columns: Int

    package init(unicode: Bool = true, colour: Bool = true, columns: Int = 80) {
        (self.unicode, self.colour, self.columns) = (unicode, colour, columns)
    }
}

/// A label in the first column and a text beside it.
enum LabelledText {
    typealias Row = (label: String, text: String)

    /// Makes a row for each text. Only the first row has the label.
    static func rows(_ label: String, _ texts: [String]) -> [Row] {
        texts.enumerated().map { ($0 == 0 ? label : "", $1) }
    }

    /// Makes a row for a text; none for nil.
    static func rows(_ label: String, _ text: String?) -> [Row] { text.map { [(label, $0)] } ?? [] }

    private static let width = 10

    /// Makes the lines of a row whose text is wrapped within its column.
    static func wrapped(_ label: String, _ text: String, columns: Int) -> [String] {
        guard !text.isEmpty else { return [label] }
        guard text.count > columns - width else { return [label.left(width) + text] }
        let parts = TextWidth.wrapped(text, width: max(1, columns - width))
        return parts.enumerated().map { ($0.offset == 0 ? label : "").left(width) + $0.element }
    }
}

/// Rows of text in aligned columns.
package struct Table: Sendable {
    package enum Alignment: Sendable {
        case left
        case right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private let rows: [[String]]

    /// - Parameter rows: one cell for each column in each row; columns are as wide as their widest cell.
    package init(_ columns: [(title: String, alignment: Alignment)], _ rows: [[String]]) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "a row has a cell for every column")
        (self.columns, self.rows) = (columns, rows)
    }

    /// The titles followed by the rows, with two spaces between columns and none at the ends.
    package var lines: [String] {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { column in ([titles] + rows).map { $0[column].count }.max() ?? 0 }
        return ([titles] + rows).map { row in
            let cells = row.indices.map { column in
                columns[column].alignment == .left
                    ? row[column].left(widths[column]) : row[column].right(widths[column])
            }
            return trimmed(cells.joined(separator: "  "))
        }
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}
