/// Content of the live view at one time, row by row.
package struct LivePicture: Sendable {
    let grid: CellGrid

    package var rows: Int { grid.rows }

    /// A row as bytes for the terminal, to be written from its first column on: text with attributes and positions
    /// (ECMA-48), neither cleared after its end nor followed by a line break.
    package func bytes(row: Int) -> [UInt8] { grid.rendered(row: row) }

    /// Rows as plain text, without attributes and trailing blanks.
    package var lines: [String] { (0..<rows).map { grid.text(row: $0) } }
}
