import Geometry

/// Grid of cells over the plane, each with the segments that pass through it or within a tolerance of it.
struct SegmentGrid: Sendable {
    /// Index in `entries` at which each cell begins, and behind the last cell their number.
    private let starts: [Int32]
    /// Numbers of segments, cell by cell.
    let entries: [Int32]
    private let lattice: Lattice

    /// Sorts segments into cells; nil if they have more than `mostEntries` places in them, as long segments side by
    /// side do.
    ///
    /// - Parameters:
    ///   - segments: starts and ends. Unit: metres.
    ///   - tolerance: distance at which a segment still belongs to a cell. Unit: metres.
    init?(_ segments: [(start: Vector2, end: Vector2)], tolerance: Double, mostEntries: Int) {
        guard let lattice = Lattice(around: segments, tolerance: tolerance) else { return nil }
        // Behind the cells' numbers of segments: their sums become the starts.
        var starts = [Int32](repeating: 0, count: lattice.cellCount + 1)
        var total = 0
        for segment in segments {
            lattice.forEachCell(of: segment) { cell in
                starts[cell + 1] += 1
                total += 1
            }
            guard total <= mostEntries else { return nil }
        }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var entries = [Int32](repeating: 0, count: total)
        var next = starts
        for (number, segment) in segments.enumerated() {
            lattice.forEachCell(of: segment) { cell in
                entries[Int(next[cell])] = Int32(number)
                next[cell] += 1
            }
        }
        self.starts = starts
        self.entries = entries
        self.lattice = lattice
    }

    /// Number of cells.
    var cellCount: Int { starts.count - 1 }

    /// Where in `entries` the segments of a cell are, in ascending order.
    func range(ofCell index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }

    /// The same of the cell around a point, which has all segments within the tolerance of it; nil where none is.
    func range(around point: Vector2) -> Range<Int>? { lattice.cell(around: point).map(range(ofCell:)) }
}

/// Cells of a grid: as many columns as rows.
private struct Lattice: Sendable {
    private let side: Int
    private let corner: Vector2
    private let cell: Vector2
    private let tolerance: Double

    /// Lattice of about one cell a segment; nil without segments.
    init?(around segments: [(start: Vector2, end: Vector2)], tolerance: Double) {
        guard !segments.isEmpty else { return nil }
        side = min(Self.mostRows, Int(Double(segments.count).squareRoot()))
        self.tolerance = tolerance
        var (lowest, highest) = (segments[0].start, segments[0].start)
        for (start, end) in segments {
            lowest = Vector2(min(lowest.x, start.x, end.x), min(lowest.y, start.y, end.y))
            highest = Vector2(max(highest.x, start.x, end.x), max(highest.y, start.y, end.y))
        }
        corner = lowest
        let size = 1 / Double(side) * (highest - lowest)
        cell = Vector2(max(size.x, 2 * tolerance), max(size.y, 2 * tolerance))
    }

    /// Rows for the segments of the largest plan.
    private static let mostRows = 256

    var cellCount: Int { side * side }

    /// Visits the cells of a segment row by row: the columns that it crosses between the edges of each.
    func forEachCell(of segment: (start: Vector2, end: Vector2), _ visit: (Int) -> Void) {
        let (low, high) =
            segment.start.y <= segment.end.y ? (segment.start, segment.end) : (segment.end, segment.start)
        let rise = high.y - low.y
        for row in row(low.y - tolerance)...row(high.y + tolerance) {
            let bottom = corner.y + Double(row) * cell.y - tolerance
            let top = bottom + cell.y + 2 * tolerance
            let entry = rise > 0 ? min(1, max(0, (bottom - low.y) / rise)) : 0
            let exit = rise > 0 ? min(1, max(0, (top - low.y) / rise)) : 1
            let (from, to) = (low.x + entry * (high.x - low.x), low.x + exit * (high.x - low.x))
            for column in column(min(from, to) - tolerance)...column(max(from, to) + tolerance) {
                visit(row * side + column)
            }
        }
    }

    /// The cell around a point; nil for one farther than the tolerance from all cells.
    func cell(around point: Vector2) -> Int? {
        let place = point - corner
        let (width, height) = (Double(side) * cell.x, Double(side) * cell.y)
        guard place.x >= -tolerance, place.y >= -tolerance, place.x <= width + tolerance, place.y <= height + tolerance
        else { return nil }
        return row(point.y) * side + column(point.x)
    }

    private func row(_ y: Double) -> Int { min(side - 1, max(0, Int((y - corner.y) / cell.y))) }

    private func column(_ x: Double) -> Int { min(side - 1, max(0, Int((x - corner.x) / cell.x))) }
}
