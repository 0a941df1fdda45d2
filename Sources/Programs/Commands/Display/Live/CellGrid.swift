/// A rectangle of character cells; may be empty.
struct CellArea: Equatable, Sendable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    /// Makes a rectangle; negative sizes become zero.
    init(row: Int, column: Int, rows: Int, columns: Int) {
        (self.row, self.column, self.rows, self.columns) = (row, column, max(0, rows), max(0, columns))
    }

    var isEmpty: Bool { rows == 0 || columns == 0 }
}

/// Character cells of a terminal. They are drawn first, and then written row by row.
package struct CellGrid: Sendable {
    package let rows: Int
    let columns: Int
    let canvas: Canvas
    private var cells: [Cell]
    /// Characters of several scalars, to which cells refer by index.
    private var clusters: [String] = []

    /// One column of a row. A wide character is in the first of two cells; the second is empty.
    private struct Cell: Equatable {
        /// A Unicode scalar; `nothing` for the second half of a wide character; or `firstCluster` plus the index of a
        /// cluster.
        var sign: UInt32
        var ink: Ink
        var isWide = false

        static let blank = Cell(sign: 0x20, ink: .plain)
        static let nothing: UInt32 = 0
        static let firstCluster: UInt32 = 0x20_0000
    }

    /// Makes an empty grid of at least one cell.
    init(rows: Int, columns: Int, canvas: Canvas) {
        (self.rows, self.columns, self.canvas) = (max(1, rows), max(1, columns), canvas)
        cells = Array(repeating: .blank, count: self.rows * self.columns)
    }

    var area: CellArea { CellArea(row: 0, column: 0, rows: rows, columns: columns) }

    // MARK: - Drawing

    /// Draws a character of one column and one scalar; does nothing outside of the grid.
    mutating func put(_ sign: Unicode.Scalar, row: Int, column: Int, _ ink: Ink = .plain) {
        guard (0..<rows).contains(row), (0..<columns).contains(column) else { return }
        set(Cell(sign: sign.value, ink: ink), row * columns + column, column)
    }

    /// Draws a text in a row, cut at `limit` columns and at the border of the grid; returns the number of columns
    /// drawn.
    @discardableResult
    mutating func put(_ text: String, row: Int, column: Int, _ ink: Ink = .plain, limit: Int = .max) -> Int {
        let text = canvas.unicode ? text : ASCIIText.line(text)
        guard (0..<rows).contains(row), column < columns else { return 0 }
        var used = 0
        for character in text {
            let width = TextWidth.columns(of: character)
            guard width > 0 else { continue }
            guard used + width <= limit, column + used + width <= columns else { break }
            put(character, width, row, column + used, ink)
            used += width
        }
        return used
    }

    /// Draws a text into the columns of an area, with an ellipsis if it does not fit.
    @discardableResult
    mutating func put(_ text: String, in area: CellArea, row: Int, column: Int = 0, _ ink: Ink = .plain) -> Int {
        guard (0..<area.rows).contains(row), (0..<area.columns).contains(column) else { return 0 }
        let cut = TextWidth.cut(canvas.unicode ? text : ASCIIText.line(text), to: area.columns - column)
        return put(cut, row: area.row + row, column: area.column + column, ink, limit: area.columns - column)
    }

    private mutating func put(_ character: Character, _ width: Int, _ row: Int, _ column: Int, _ ink: Ink) {
        guard column >= 0, let first = character.unicodeScalars.first else { return }
        let isOne = character.unicodeScalars.count == 1
        let isControl = first.value < 0x20 || (0x7F..<0xA0).contains(first.value)
        var sign = isControl ? 0x20 : first.value
        if !isOne {
            sign = Cell.firstCluster + UInt32(clusters.count)
            clusters.append(String(character))
        }
        let index = row * columns + column
        set(Cell(sign: sign, ink: ink, isWide: width == 2), index, column)
        if width == 2 { set(Cell(sign: Cell.nothing, ink: ink), index + 1, column + 1, isSecond: true) }
    }

    /// Sets a cell; if it covers half of a wide character, the other half becomes blank.
    private mutating func set(_ cell: Cell, _ index: Int, _ column: Int, isSecond: Bool = false) {
        if cells[index].sign == Cell.nothing, column > 0, !isSecond { cells[index - 1] = .blank }
        if cells[index].isWide, column + 1 < columns { cells[index + 1] = .blank }
        cells[index] = cell
    }

    /// Whether the row is in the grid and its cells in these columns are blank or contain only dots of a drawing.
    /// Columns outside of the grid are ignored.
    func isFree(row: Int, columns range: Range<Int>) -> Bool {
        guard (0..<rows).contains(row) else { return false }
        let inside = range.clamped(to: 0..<columns)
        return inside.allSatisfy {
            let sign = cells[row * columns + $0].sign
            return sign == 0x20 || (0x2800...0x28FF).contains(sign) || sign == 0x2E
        }
    }

    func ink(row: Int, column: Int) -> Ink {
        guard (0..<rows).contains(row), (0..<columns).contains(column) else { return .plain }
        return cells[row * columns + column].ink
    }

    /// Changes the appearance of some columns of a row.
    mutating func tint(row: Int, columns range: ClosedRange<Int>, _ ink: Ink) {
        guard (0..<rows).contains(row) else { return }
        for column in range where (0..<columns).contains(column) { cells[row * columns + column].ink = ink }
    }

    /// Gives a whole area the same faded appearance, to mark it as outdated.
    mutating func fade(_ area: CellArea) {
        for row in max(0, area.row)..<min(rows, max(0, area.row) + area.rows) {
            for column in max(0, area.column)..<min(columns, max(0, area.column) + area.columns) {
                cells[row * columns + column].ink = .faint
            }
        }
    }

    // MARK: - Writing

    /// Returns one row as bytes for the terminal, whose cursor must be in the first column: text with attributes and
    /// cursor positions (ECMA-48), without trailing blanks. The bytes neither clear the rest of the row nor end with a
    /// line break.
    package func bytes(row: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(columns * 2)
        var ink = Ink.plain
        for column in 0..<end(of: row) {
            let cell = cells[row * columns + column]
            guard cell.sign != Cell.nothing else { continue }
            if canvas.colour, cell.ink != ink {
                ink = cell.ink
                Self.append(ink, to: &bytes)
            }
            append(cell, to: &bytes)
            // Terminals differ in how wide they draw this character, so the next one is positioned by its column
            // number.
            if cell.isWide || cell.sign >= Cell.firstCluster {
                bytes += "\u{1B}[\(column + (cell.isWide ? 3 : 2))G".utf8
            }
        }
        if ink != .plain { Self.append(.plain, to: &bytes) }
        return bytes
    }

    /// Rows as plain text, without attributes and trailing blanks.
    package var lines: [String] { (0..<rows).map(text) }

    private func text(row: Int) -> String {
        var bytes: [UInt8] = []
        for column in 0..<end(of: row) where cells[row * columns + column].sign != Cell.nothing {
            append(cells[row * columns + column], to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the column after the last cell that shows something.
    private func end(of row: Int) -> Int {
        var end = columns
        while end > 0 {
            let cell = cells[row * columns + end - 1]
            guard cell.sign == 0x20, !canvas.colour || !cell.ink.hasBackground else { break }
            end -= 1
        }
        return end
    }

    private static func append(_ ink: Ink, to bytes: inout [UInt8]) {
        bytes += "\u{1B}[".utf8
        bytes += ink.rawValue.utf8
        bytes.append(UInt8(ascii: "m"))
    }

    private func append(_ cell: Cell, to bytes: inout [UInt8]) {
        if cell.sign < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: cell.sign))
        } else if cell.sign >= Cell.firstCluster {
            bytes += clusters[Int(cell.sign - Cell.firstCluster)].utf8
        } else if let scalar = Unicode.Scalar(cell.sign), let encoded = UTF8.encode(scalar) {
            bytes += encoded
        }
    }
}
