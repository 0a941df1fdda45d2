import Calibration
import Geometry

/// The 100 regions of the sphere as a map: a row for each band, the top one first, a column for each sector, from the back
/// over the right to the front and the left.
struct CoverageMap {
    let seen: Set<Int>
    /// Present direction in the board's axes; nil is not shown.
    let present: [Double]?
    let next: [Double]?
    let canvas: Canvas

    private enum Cell {
        case seen, missing, present, next
    }

    private static let labelWidth = 9

    /// Characters of a cell: fewer where the terminal is narrow.
    private var cellWidth: Int { canvas.columns > Self.labelWidth + 2 + 3 * SphereCoverage.sectors ? 3 : 1 }

    var lines: [StyledLine] {
        var lines = cellWidth == 3 ? [StyledLine(header, .faint)] : []
        for band in (0..<SphereCoverage.bands).reversed() { lines.append(row(band)) }
        lines.append(legend)
        return lines
    }

    /// Sectors count from the back (z) towards the right (x): 36° each.
    private var header: String {
        let room = String(repeating: " ", count: Self.labelWidth)
        return room + "back right  front   left"
    }

    private func row(_ band: Int) -> StyledLine {
        let label = band == SphereCoverage.bands - 1 ? "  top" : band == 0 ? "  bottom" : ""
        var line = StyledLine(label.left(Self.labelWidth), .faint)
        for sector in 0..<SphereCoverage.sectors {
            let cell = cell(band * SphereCoverage.sectors + sector)
            line.append(mark(cell), style(cell))
        }
        return line
    }

    private func cell(_ region: Int) -> Cell {
        if region == Self.region(present) { return .present }
        if region == Self.region(next) { return .next }
        return seen.contains(region) ? .seen : .missing
    }

    private static func region(_ direction: [Double]?) -> Int? {
        guard let direction, direction.count == 3, direction.allSatisfy(\.isFinite) else { return nil }
        return SphereCoverage.region(of: Vector3(direction[0], direction[1], direction[2]))
    }

    private func mark(_ cell: Cell) -> String {
        let sign: Character =
            switch cell {
            case .seen: canvas.unicode ? "█" : "#"
            case .missing: canvas.unicode ? "·" : "."
            case .present: canvas.unicode ? "◆" : "@"
            case .next: canvas.unicode ? "○" : "?"
            }
        return cellWidth == 3 ? "\(sign)\(sign) " : "\(sign)"
    }

    private func style(_ cell: Cell) -> StyledLine.Style {
        switch cell {
        case .seen: .good
        case .missing: .faint
        case .present: .strong
        case .next: .warning
        }
    }

    private var legend: StyledLine {
        var line = StyledLine("".left(cellWidth == 3 ? Self.labelWidth : 2))
        for (cell, word) in [(Cell.seen, "seen"), (.missing, "missing"), (.present, "now"), (.next, "next")] {
            line.append(mark(cell), style(cell))
            line.append(cellWidth == 3 ? "\(word)  " : " \(word) ", .faint)
        }
        return line
    }
}
