/// Table of text with aligned columns: the first to the left, all others to the right.
package struct TextTable {
    private var rows: [[String]]

    /// A table with a row of titles.
    package init(_ titles: [String]) { rows = [titles] }

    /// Adds a row of as many cells.
    package mutating func add(_ cells: [String]) { rows.append(cells) }

    /// The rows, one a line.
    package var text: String {
        let columns = rows[0].count
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + space : space + row[column]
            }
            return cells.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }
}

extension Double {
    /// The number with a fixed number of decimals.
    package func text(decimals: Int) -> String {
        guard isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (magnitude * scale).rounded()
        guard scaled < 1e15 else { return "\(self)" }
        let (whole, part) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(scale))
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let digits = String(part)
        return "\(sign)\(whole)." + String(repeating: "0", count: decimals - digits.count) + digits
    }
}
