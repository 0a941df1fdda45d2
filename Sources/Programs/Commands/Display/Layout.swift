/// A line for a terminal: pieces of text, each with its own style.
public struct StyledLine: Equatable, Sendable {
    /// Style of a piece of text, as far as a terminal can show it.
    public enum Style: Equatable, Sendable {
        case plain
        /// Emphasis.
        case strong
        case good
        case warning
        case bad
        case faint

        /// The parameters of "Select Graphic Rendition" (ECMA-48, 8.3.117); nil for none.
        fileprivate var rendition: String? {
            switch self {
            case .plain: nil
            case .strong: "1"
            case .good: "32"
            case .warning: "1;33"
            case .bad: "1;31"
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

    /// The first `columns` characters, with escape sequences if `colour` permits them.
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

/// Capabilities of a terminal.
public struct Canvas: Equatable, Sendable {
    /// Whether the terminal shows more than ASCII.
    public var unicode: Bool
    /// Whether the terminal shows colours and other text attributes.
    public var colour: Bool
    /// Number of characters in a line.
    public var columns: Int

    /// Sets the capabilities of a terminal; the defaults suit most terminals.
    public init(unicode: Bool = true, colour: Bool = true, columns: Int = 80) {
        self.unicode = unicode
        self.colour = colour
        self.columns = columns
    }
}

/// A label in the first column and a text beside it, which is wrapped within its column.
enum LabelledText {
    /// Width of the labels.
    private static let width = 10

    static func wrapped(_ label: String, _ text: String, columns: Int) -> [String] {
        guard !text.isEmpty else { return [label] }
        guard text.count > columns - width else { return [label.left(width) + text] }
        let parts = CalibrationText.wrapped(text, width: max(1, columns - width))
        return parts.enumerated().map { ($0.offset == 0 ? label : "").left(width) + $0.element }
    }
}

/// Rows of text in aligned columns.
public struct Table: Sendable {
    /// Alignment of a column's cells.
    public enum Alignment: Sendable {
        case left
        case right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    /// Makes a table without rows; columns are as wide as their widest cell.
    public init(_ columns: [(title: String, alignment: Alignment)]) {
        self.columns = columns
    }

    /// - Parameter cells: one cell for each column.
    public mutating func append(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has a cell for every column")
        rows.append(cells)
    }

    /// The titles followed by the rows, with two spaces between columns and none at the ends.
    public var lines: [String] {
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
