import Geometry

/// Rectangle along the axes of a plane. Unit: metres.
struct PlaneBox {
    private(set) var low: Vector2
    private(set) var high: Vector2

    /// Makes the smallest box around points, of which there must be at least one.
    init(_ points: [Vector2]) {
        (low, high) = (points[0], points[0])
        for point in points {
            low = Vector2(min(low.x, point.x), min(low.y, point.y))
            high = Vector2(max(high.x, point.x), max(high.y, point.y))
        }
    }

    func contains(_ point: Vector2) -> Bool {
        point.x >= low.x && point.x <= high.x && point.y >= low.y && point.y <= high.y
    }
}

/// Squares of a plane, each with the boxes that extend into it.
struct BuildingGrid {
    /// Side length of a square, which is about the size of a building with its yard. Unit: metres.
    private static let edge = 64.0
    /// Number of squares along each side. Together they cover more than twice the distance up to which buildings are
    /// considered.
    private static let width = 320
    /// Indices of boxes, square by square. Those of a square are `boxes[starts[square]..<starts[square + 1]]`.
    private var starts: [Int32] = []
    private var boxes: [Int32] = []

    private(set) var count = 0

    /// Maximum number of entries of all squares together. A large hall is in some hundred squares, and a house in four
    /// at most.
    private static let maximumEntryCount = 262_144

    /// Makes a grid of boxes. Boxes beyond its capacity are left out.
    init(_ extents: [PlaneBox]) {
        guard !extents.isEmpty else { return }
        var counts = [Int32](repeating: 0, count: Self.width * Self.width + 1)
        var entries = 0
        for extent in extents {
            let size = Self.squares(extent)
            entries += size.rows.count * size.columns.count
            guard entries <= Self.maximumEntryCount else { break }
            Self.visit(size) { counts[$0 + 1] += 1 }
            count += 1
        }
        for square in 1..<counts.count { counts[square] += counts[square - 1] }
        starts = counts
        boxes = [Int32](repeating: 0, count: Int(counts[counts.count - 1]))
        for (index, extent) in extents.prefix(count).enumerated() {
            Self.visit(Self.squares(extent)) { square in
                boxes[Int(counts[square])] = Int32(index)
                counts[square] += 1
            }
        }
    }

    /// Returns the squares into which a box extends. Parts beyond the grid are assigned to the squares at its border.
    private static func squares(_ box: PlaneBox) -> (rows: ClosedRange<Int>, columns: ClosedRange<Int>) {
        (row(box.low.y)...row(box.high.y), row(box.low.x)...row(box.high.x))
    }

    private static func visit(_ squares: (rows: ClosedRange<Int>, columns: ClosedRange<Int>), _ take: (Int) -> Void) {
        for row in squares.rows {
            for column in squares.columns { take(row * width + column) }
        }
    }

    /// Returns the row of a northing, or the column of an easting.
    private static func row(_ metres: Double) -> Int {
        Int(max(0, min(Double(width - 1), (metres / edge + Double(width) / 2).rounded(.down))))
    }

    /// Calls `take` with the boxes near a point.
    func visit(_ point: Vector2, _ take: (Int) -> Void) {
        guard !starts.isEmpty else { return }
        for box in self[Self.row(point.y), Self.row(point.x)] { take(Int(box)) }
    }

    private subscript(row: Int, column: Int) -> ArraySlice<Int32> {
        let square = row * Self.width + column
        return boxes[Int(starts[square])..<Int(starts[square + 1])]
    }

    /// Calls `take` with the boxes near a line until it returns true. A box in several squares is passed several times.
    func visit(from start: Vector2, to end: Vector2, _ take: (Int) -> Bool) {
        guard !starts.isEmpty else { return }
        let (low, high) = start.y <= end.y ? (start, end) : (end, start)
        for row in Self.row(low.y)...Self.row(high.y) {
            // Part of the line that lies in this row.
            let south = max(low.y, Self.edge * (Double(row) - Double(Self.width) / 2))
            let north = min(high.y, Self.edge * (Double(row + 1) - Double(Self.width) / 2))
            let ends = [south, north].map { Self.easting(at: $0, low, high) }
            let isLevel = high.y - low.y < 1e-9
            let west = isLevel ? min(low.x, high.x) : min(ends[0], ends[1])
            let east = isLevel ? max(low.x, high.x) : max(ends[0], ends[1])
            for column in Self.row(west)...Self.row(east) {
                for box in self[row, column] where take(Int(box)) { return }
            }
        }
    }

    private static func easting(at northing: Double, _ low: Vector2, _ high: Vector2) -> Double {
        let share = high.y > low.y ? max(0, min(1, (northing - low.y) / (high.y - low.y))) : 0
        return low.x + share * (high.x - low.x)
    }
}
