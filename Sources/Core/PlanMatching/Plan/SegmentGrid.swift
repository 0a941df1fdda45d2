import Geometry

/// Grid of cells over the plane. Each cell lists the segments that pass through it or within a tolerance of it.
struct SegmentGrid: Sendable {
    /// Index in `entries` at which each cell starts, followed by the total number of entries.
    private let starts: [Int32]
    /// Numbers of segments, sorted by cell.
    let entries: [Int32]
    private let lattice: Lattice

    /// Sorts segments into cells. Returns nil if the cells need more than `maximumEntryCount` entries, as for many long
    /// parallel segments.
    ///
    /// - Parameters:
    ///   - segments: start and end points. Unit: metres.
    ///   - tolerance: distance from a cell at which a segment still belongs to it. Unit: metres.
    init?(_ segments: [(start: Vector2, end: Vector2)], tolerance: Double, maximumEntryCount: Int) {
        guard let lattice = Lattice(around: segments, tolerance: tolerance) else { return nil }
        // Counts of segments, shifted by one cell so that their cumulative sums are the start indices.
        var starts = [Int32](repeating: 0, count: lattice.cellCount + 1)
        var total = 0
        for segment in segments {
            lattice.forEachCell(of: segment) { cell in
                starts[cell + 1] += 1
                total += 1
            }
            guard total <= maximumEntryCount else { return nil }
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

    var cellCount: Int { starts.count - 1 }

    /// Returns the range in `entries` of the segments of a cell, in ascending order.
    func range(ofCell index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }

    /// Returns the range in `entries` of the cell around a point, which includes all segments within the tolerance of
    /// the point; nil outside the grid.
    func range(around point: Vector2) -> Range<Int>? { lattice.cell(around: point).map(range(ofCell:)) }
}

/// Cells of a grid with an equal number of columns and rows.
private struct Lattice: Sendable {
    private let side: Int
    private let corner: Vector2
    private let cell: Vector2
    private let tolerance: Double

    /// Makes a lattice of about one cell per segment; nil without segments.
    init?(around segments: [(start: Vector2, end: Vector2)], tolerance: Double) {
        guard !segments.isEmpty else { return nil }
        side = min(Self.maximumRowCount, Int(Double(segments.count).squareRoot()))
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

    /// Maximum number of rows. Origin: the square root of the number of segments of the largest plan.
    private static let maximumRowCount = 256

    var cellCount: Int { side * side }

    /// Visits the cells of a segment row by row. In each row, it crosses the columns between where it enters and leaves
    /// the row.
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

    /// Returns the cell around a point; nil if the point is farther than the tolerance from all cells.
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
