import Geometry

/// Cells on which areas, lines and points are drawn.
struct PlanRaster {
    /// Half the extent to the east and the north. Unit: metres.
    let half: Vector2
    let cell: Double
    let columns: Int
    let rows: Int
    private(set) var areas: [PlanArea]
    /// Number of cells and crossings that may still be processed. It limits the work, because features may overlap any
    /// number of times.
    private var budget = 32 * Self.maximumCellCount

    /// Smallest side length of a cell. Unit: metres.
    private static let minimumCellSize = 0.25
    /// Maximum number of cells of a drawing. A larger drawing has larger cells.
    private static let maximumCellCount = 1 << 19

    init(half: Vector2) {
        let coarse = (4 * half.x * half.y / Double(Self.maximumCellCount)).squareRoot()
        cell = max(Self.minimumCellSize, coarse * 1.01)
        columns = Int(2 * half.x / cell) + 1
        rows = Int(2 * half.y / cell) + 1
        self.half = half
        areas = Array(repeating: .outside, count: columns * rows)
    }

    /// Whether the drawing has taken more work than that of any real building.
    var isOverdrawn: Bool { budget < 0 }

    /// Hash of all cells and their extent. Source: FNV-1a, Fowler, Noll and Vo.
    var checksum: UInt32 {
        var hash = UInt32(truncatingIfNeeded: 0x811C_9DC5 ^ columns)
        for area in areas { hash = (hash ^ UInt32(area.rawValue)) &* 0x0100_0193 }
        return hash
    }

    /// Fills the cells inside an odd number of rings.
    mutating func fill(_ rings: [[Vector2]], with area: PlanArea) {
        paint(spans(of: rings), with: area)
    }

    /// Fills the area of a room with a number that does not occur inside it or at its border.
    mutating func fillRoom(_ rings: [[Vector2]]) {
        var isTaken = [Bool](repeating: false, count: 256)
        let spans = spans(of: rings)
        for cells in spans where !isOverdrawn {
            budget -= 3 * cells.count
            for shift in [0, -columns, columns] {
                for index in (cells.lowerBound - 1 + shift)...(cells.upperBound + shift)
                where areas.indices.contains(index) { isTaken[Int(areas[index].rawValue)] = true }
            }
        }
        let free = PlanArea.rooms.first { !isTaken[Int($0)] } ?? PlanArea.rooms.lowerBound
        paint(spans, with: PlanArea(rawValue: free))
    }

    private mutating func paint(_ spans: [Range<Int>], with area: PlanArea) {
        for cells in spans where !isOverdrawn {
            budget -= cells.count
            for index in cells { areas[index] = area }
        }
    }

    /// Draws a line of a given width. Unit: metres.
    mutating func draw(_ line: [Vector2], width: Double, as area: PlanArea) {
        for (start, end) in zip(line, line.dropFirst()) {
            let displacement = end - start
            let count = max(1, Int((2 * displacement.norm / cell).rounded(.up)))
            for step in 0...count where !isOverdrawn {
                dot(start + Double(step) / Double(count) * displacement, width: width, as: area)
            }
        }
    }

    /// Draws a disc of a given diameter. Unit: metres.
    mutating func dot(_ point: Vector2, width: Double, as area: PlanArea) {
        let radius = max(width / 2, cell / 2)
        let (low, high) = (place(point - Vector2(radius, radius)), place(point + Vector2(radius, radius)))
        for row in stride(from: max(0, low.row), through: min(rows - 1, high.row), by: 1) {
            budget -= high.column - low.column + 1
            for column in stride(from: max(0, low.column), through: min(columns - 1, high.column), by: 1) {
                guard (middle(column, row) - point).norm <= radius + cell / 4 else { continue }
                areas[row * columns + column] = area
            }
        }
    }

    /// Whether a border is near in a direction.
    func isClosed(from cell: (Int, Int), along ray: Vector2, reach: Double, steps: Int) -> Bool {
        var area = area(cell.0, cell.1)
        for step in 1...steps {
            let distance = reach * Double(step) / Double(steps)
            let next = self.area(
                cell.0 + Int((ray.x * distance).rounded()), cell.1 + Int((ray.y * distance).rounded()))
            if next != area, PlanBorder(from: area, to: next) != .none { return true }
            area = next
        }
        return false
    }

    private func area(_ column: Int, _ row: Int) -> PlanArea {
        guard column >= 0, row >= 0, column < columns, row < rows else { return .outside }
        return areas[row * columns + column]
    }

    private func middle(_ column: Int, _ row: Int) -> Vector2 {
        Vector2((Double(column) + 0.5) * cell - half.x, (Double(row) + 0.5) * cell - half.y)
    }

    private func place(_ point: Vector2) -> (column: Int, row: Int) {
        (Int(((point.x + half.x) / cell).rounded(.down)), Int(((point.y + half.y) / cell).rounded(.down)))
    }

    /// Returns the cells whose centre is inside an odd number of rings, as ranges of their indices.
    private mutating func spans(of rings: [[Vector2]]) -> [Range<Int>] {
        var waiting = PlanEdge.edges(of: rings).sorted { $0.low.y > $1.low.y }
        var active: [PlanEdge] = []
        var spans: [Range<Int>] = []
        guard let first = waiting.last, let top = waiting.map(\.high.y).max() else { return [] }
        let last = min(rows - 1, place(Vector2(0, top)).row)
        for row in stride(from: max(0, place(first.low).row), through: last, by: 1) where !isOverdrawn {
            let north = (Double(row) + 0.5) * cell - half.y
            while let next = waiting.last, next.low.y <= north { active.append(waiting.removeLast()) }
            active.removeAll { $0.high.y <= north }
            budget -= active.count
            let crossings = active.map { $0.east(atNorth: north) }.sorted()
            for pair in 0..<(crossings.count / 2) {
                let first = max(0, Int(((crossings[2 * pair] + half.x) / cell - 0.5).rounded(.up)))
                let end = min(columns, Int(((crossings[2 * pair + 1] + half.x) / cell - 0.5).rounded(.down)) + 1)
                if first < end { spans.append((row * columns + first)..<(row * columns + end)) }
            }
        }
        return spans
    }
}

/// Edge of a ring, from its southern to its northern end.
private struct PlanEdge {
    let low: Vector2
    let high: Vector2

    static func edges(of rings: [[Vector2]]) -> [PlanEdge] {
        rings.flatMap { ring in
            zip(ring, ring.dropFirst() + ring.prefix(1)).compactMap { start, end in
                guard start.y != end.y else { return nil }
                return start.y < end.y ? PlanEdge(low: start, high: end) : PlanEdge(low: end, high: start)
            }
        }
    }

    func east(atNorth north: Double) -> Double {
        low.x + (north - low.y) / (high.y - low.y) * (high.x - low.x)
    }
}
