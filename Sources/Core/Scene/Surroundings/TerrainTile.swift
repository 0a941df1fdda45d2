import Geometry

/// Heights of the ground in a cell of 0.1° by 0.1°.
///
/// The grid has samples on all four edges, so that heights between samples need no neighbouring tile. The reference
/// level of the heights does not matter, since only differences between nearby heights are used.
public struct TerrainTile: Hashable, Sendable {
    /// Cell of the earth, 0.1° high and wide.
    public struct Cell: Hashable, Comparable, Sendable {
        /// Number of cells between the south pole and the cell's southern edge, 0 to 1799.
        public let row: Int
        /// Number of cells between the antimeridian and the cell's western edge, counted eastwards, 0 to 3599.
        public let column: Int

        /// Makes the cell at a row and a column; nil for a row that is not on the earth. Columns wrap around the earth.
        public init?(row: Int, column: Int) {
            guard (0..<1800).contains(row) else { return nil }
            self.row = row
            self.column = ((column % 3600) + 3600) % 3600
        }

        /// Cells that share an edge or a corner with this one.
        public var neighbours: [Cell] {
            (-1...1).flatMap { north in
                (-1...1).compactMap { east in
                    north == 0 && east == 0 ? nil : Cell(row: row + north, column: column + east)
                }
            }
        }

        /// Orders by row, then by column.
        public static func < (left: Cell, right: Cell) -> Bool {
            (left.row, left.column) < (right.row, right.column)
        }

        /// Southern edge. Unit: degrees.
        public var southDegrees: Double { Double(row - 900) / 10 }
        /// Western edge, −180 to 179.9. Unit: degrees.
        public var westDegrees: Double { Double(column - 1800) / 10 }
    }

    package let cell: Cell
    /// Number of intervals between southern and northern edge; a divisor of 360.
    public let rows: Int
    /// Number of intervals between western and eastern edge; a divisor of 360.
    public let columns: Int
    /// Samples in rows from south to north, each from west to east. `TerrainTile.sample` encodes the heights.
    public let samples: [UInt16]

    /// Height and width of a cell. Unit: seconds of arc.
    static let seconds = 360
    /// Sample that stands for an unknown height.
    public static let void = UInt16.max
    /// Least height. Unit: metres.
    private static let minimumHeight = -1000.0
    /// Number of sample steps in a metre. Whole metres are exact, and the rounding is below the errors of any elevation
    /// model.
    private static let stepsPerMetre = 5.0

    /// Makes a tile from samples; nil for a number of intervals that does not divide 360, or a wrong number of samples.
    public init?(cell: Cell, rows: Int, columns: Int, samples: [UInt16]) {
        guard Self.isIntervals(rows), Self.isIntervals(columns), samples.count == (rows + 1) * (columns + 1) else {
            return nil
        }
        self.cell = cell
        self.rows = rows
        self.columns = columns
        self.samples = samples
    }

    /// Whether an edge may have this number of intervals. Each sample must be at a whole second of arc.
    public static func isIntervals(_ number: Int) -> Bool { number > 0 && number <= seconds && seconds % number == 0 }

    /// Returns the sample of a height in metres, rounded to 0.2 m. It is the void sample if the height is nil, not
    /// finite, or outside the range on earth, −1000 m to 12 km.
    public static func sample(_ height: Double?) -> UInt16 {
        guard let height, (minimumHeight...12_000).contains(height) else { return void }
        return UInt16(((height - minimumHeight) * stepsPerMetre).rounded())
    }

    /// Returns the height of a sample in metres; nil if unknown.
    public static func height(_ sample: UInt16) -> Double? {
        sample == void ? nil : Double(sample) / stepsPerMetre + minimumHeight
    }

    /// Returns this tile, with heights of another tile filled in where this one has none. Uses all heights if the other
    /// tile is of the same cell, and those on the common edge or corner if it is a neighbour with the same spacing.
    public func filled(from other: TerrainTile) -> TerrainTile {
        if other.cell == cell, (rows, columns) != (other.rows, other.columns) { return resampled(from: other) }
        let north = other.cell.row - cell.row
        // Columns wrap around the earth.
        let east = (other.cell.column - cell.column + 5400) % 3600 - 1800
        guard (rows, columns) == (other.rows, other.columns), north.magnitude <= 1, east.magnitude <= 1 else {
            return self
        }
        var filled = samples
        for row in max(0, north * rows)...min(rows, (north + 1) * rows) {
            for column in max(0, east * columns)...min(columns, (east + 1) * columns) {
                let index = row * (columns + 1) + column
                guard filled[index] == Self.void else { continue }
                filled[index] = other.samples[(row - north * rows) * (columns + 1) + column - east * columns]
            }
        }
        return TerrainTile(cell: cell, rows: rows, columns: columns, samples: filled) ?? self
    }

    private func resampled(from other: TerrainTile) -> TerrainTile {
        var filled = samples
        for index in filled.indices where filled[index] == Self.void {
            let (row, column) = (index / (columns + 1), index % (columns + 1))
            filled[index] = Self.sample(
                other.height(
                    north: Double(row * Self.seconds / rows), east: Double(column * Self.seconds / columns)))
        }
        return TerrainTile(cell: cell, rows: rows, columns: columns, samples: filled) ?? self
    }

    package var voids: Int { samples.reduce(0) { $1 == Self.void ? $0 + 1 : $0 } }

    /// Returns the height at a point of the cell in metres; nil if a sample around it has no height.
    ///
    /// - Parameters:
    ///   - north: distance from the southern edge, 0 to 360. Unit: seconds of arc.
    ///   - east: distance from the western edge, 0 to 360. Unit: seconds of arc.
    func height(north: Double, east: Double) -> Double? {
        Bilinear(
            north * Double(rows) / Double(Self.seconds), east * Double(columns) / Double(Self.seconds), rows, columns
        )
        .value { Self.height(samples[$0 * (columns + 1) + $1]) }
    }
}

extension TerrainTile.Cell {
    /// Makes the cell that contains a position. For a position on an edge, it is the northern or eastern cell.
    public init(containing position: GeodeticPosition) {
        let row = ((position.latitudeDegrees + 90) * 10).rounded(.down)
        let column = ((position.longitudeDegrees + 180) * 10).rounded(.down)
        // The last row includes the pole, and columns wrap around the earth.
        self.init(row: min(1799, max(0, Int(row))), column: Int(column))!
    }
}

extension TerrainTile {
    /// Returns the height at a position of the cell, in metres above the reference level of the elevation model; nil if
    /// unknown.
    public func height(at position: GeodeticPosition) -> Double? {
        let second = Double(Self.seconds)
        let turns = 3600 * second
        var east = ((position.longitudeDegrees + 180) * 3600 - Double(cell.column) * second)
            .truncatingRemainder(dividingBy: turns)
        if east < -turns / 2 { east += turns }
        if east > turns / 2 { east -= turns }
        let north = (position.latitudeDegrees + 90) * 3600 - Double(cell.row) * second
        // Because of rounding, a position on an edge may be outside.
        let edge = -1e-6...second + 1e-6
        guard edge.contains(north), edge.contains(east) else { return nil }
        return height(north: max(0, min(second, north)), east: max(0, min(second, east)))
    }
}

/// Interpolation between the four nodes around a point of a grid. It is linear along rows and along columns.
struct Bilinear {
    private let row: Int
    private let column: Int
    private let north: Double
    private let east: Double

    /// - Parameters:
    ///   - row: coordinate in intervals, 0 to `rows`.
    ///   - column: coordinate in intervals, 0 to `columns`.
    init(_ row: Double, _ column: Double, _ rows: Int, _ columns: Int) {
        self.row = max(0, min(rows - 1, Int(row)))
        self.column = max(0, min(columns - 1, Int(column)))
        north = row - Double(self.row)
        east = column - Double(self.column)
    }

    /// Returns the interpolated value; nil if a node with a nonzero weight has no value.
    @inline(__always)
    func value(_ node: (_ row: Int, _ column: Int) -> Double?) -> Double? {
        // If the point is on a row or column of nodes, the nodes on both sides of it have no weight and may be void.
        guard north < 1 else { return along(row + 1, node) }
        guard let south = along(row, node) else { return nil }
        guard north > 0 else { return south }
        guard let top = along(row + 1, node) else { return nil }
        return south + north * (top - south)
    }

    @inline(__always)
    private func along(_ row: Int, _ node: (_ row: Int, _ column: Int) -> Double?) -> Double? {
        guard east < 1 else { return node(row, column + 1) }
        guard let west = node(row, column) else { return nil }
        guard east > 0 else { return west }
        guard let other = node(row, column + 1) else { return nil }
        return west + east * (other - west)
    }
}
