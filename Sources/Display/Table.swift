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

    /// - Parameter cells: one for each column.
    public mutating func append(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has a cell for every column")
        rows.append(cells)
    }

    /// The titles and then the rows, two spaces between columns, no space at the ends.
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
