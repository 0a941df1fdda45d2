import Calibration
import Geometry

/// The 100 regions of the sphere as a map: a row for each band, from the top, and a column for each sector, from the
/// back through right and front to left.
struct CoverageMap {
    let seen: Set<Int>
    /// Current direction in the board's axes; nil to omit it.
    let present: [Double]?
    let next: [Double]?
    let canvas: Canvas

    private enum Cell {
        case seen, missing, present, next
    }

    private static let labelWidth = 9

    /// Number of characters per cell, fewer on a narrow terminal.
    private var cellWidth: Int { canvas.columns > Self.labelWidth + 2 + 3 * SphereCoverage.sectors ? 3 : 1 }

    var lines: [StyledLine] {
        var lines = cellWidth == 3 ? [StyledLine(header, .faint)] : []
        for band in (0..<SphereCoverage.bands).reversed() { lines.append(row(band)) }
        lines.append(legend)
        return lines
    }

    /// Header of the sectors, which are 36° wide and counted from the back (z) towards the right (x).
    private var header: String {
        let room = String(repeating: " ", count: Self.labelWidth)
        return room + "back right  front   left"
    }

    private func row(_ band: Int) -> StyledLine {
        let label = band == SphereCoverage.bands - 1 ? "  top" : band == 0 ? "  bottom" : ""
        var line = StyledLine(label.left(Self.labelWidth), .faint)
        for sector in 0..<SphereCoverage.sectors {
            append(cell(band * SphereCoverage.sectors + sector), to: &line)
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

    /// Returns the signs of a cell, for Unicode and for ASCII-only terminals, and its style.
    private static func appearance(_ cell: Cell) -> (sign: Character, ascii: Character, style: StyledLine.Style) {
        switch cell {
        case .seen: ("█", "#", .good)
        case .missing: ("·", ".", .faint)
        case .present: ("◆", "@", .strong)
        case .next: ("○", "?", .warning)
        }
    }

    private func append(_ cell: Cell, to line: inout StyledLine) {
        let (unicode, ascii, style) = Self.appearance(cell)
        let sign = canvas.unicode ? unicode : ascii
        line.append(cellWidth == 3 ? "\(sign)\(sign) " : "\(sign)", style)
    }

    private var legend: StyledLine {
        var line = StyledLine("".left(cellWidth == 3 ? Self.labelWidth : 2))
        for (cell, word) in [(Cell.seen, "seen"), (.missing, "missing"), (.present, "now"), (.next, "next")] {
            append(cell, to: &line)
            line.append(cellWidth == 3 ? "\(word)  " : " \(word) ", .faint)
        }
        return line
    }
}

/// Names of directions from the board for a user who holds it: x is right, y the top, z the back.
package enum BoardSides {
    /// Minimum ratio of a component to the largest component at which the direction counts as an edge or a corner. It
    /// corresponds to 27° from the side.
    private static let minimumShare = 0.5

    /// Names a direction: "left side", "top left edge", "front top left corner". Nil if it is not a direction.
    ///
    /// - Parameter direction: three components in the body's axes.
    package static func name(_ direction: [Double]) -> String? {
        guard direction.count == 3, direction.allSatisfy(\.isFinite), let largest = direction.map(\.magnitude).max(),
            largest > 0
        else { return nil }
        let words = [
            (direction[2], "back", "front"), (direction[1], "top", "bottom"), (direction[0], "right", "left"),
        ]
        let parts = words.filter { $0.0.magnitude >= minimumShare * largest }.map { $0.0 > 0 ? $0.1 : $0.2 }
        let part = ["side", "edge", "corner"][parts.count - 1]
        return (parts + [part]).joined(separator: " ")
    }

    static let all: [(name: String, direction: [Double])] = [
        ("top", [0, 1, 0]), ("bottom", [0, -1, 0]), ("left", [-1, 0, 0]), ("right", [1, 0, 0]),
        ("front", [0, 0, -1]), ("back", [0, 0, 1]),
    ]

    /// Whether a direction is within 45° of the direction of a side; both are unit vectors.
    static func faces(_ direction: [Double], _ side: [Double]) -> Bool {
        guard direction.count == 3 else { return false }
        let product = zip(direction, side).map { $0 * $1 }.reduce(0, +)
        return product > 0.7071
    }
}
