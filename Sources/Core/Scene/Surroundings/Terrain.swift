import Geometry
import Glibc

/// Heights of the ground in a window of some kilometres around the wearer, with bilinear interpolation between nodes.
///
/// Nodes are at whole seconds of arc. Up to a latitude of 60°, they include the samples of the tiles, so that the
/// interpolation within a tile is exact. The window may cross the antimeridian. It ends a degree before the poles,
/// where meridians are too close together.
public struct Terrain: Sendable {
    /// Position of the southern edge, from the south pole. Unit: seconds of arc.
    private let south: Int
    /// Position of the western edge, measured eastwards from the antimeridian. Less than a full circle. Unit: seconds
    /// of arc.
    private let west: Int
    /// Spacing of nodes along a meridian, and along a parallel; both are divisors of 360. Unit: seconds of arc.
    private let rowStep: Int
    private let columnStep: Int
    /// Number of intervals between nodes.
    private let rows: Int
    private let columns: Int
    /// Heights of the nodes, in rows from south to north, each from west to east; NaN if unknown. Unit: metres.
    private var nodes: [Float]

    /// Latitude up to which a window can be made. Unit: degrees.
    static let maximumLatitude = 89.0
    /// Distance of the edges from the wearer when the window is made. Unit: metres.
    public static let reach = 10_000.0
    /// Distance that the wearer may move before a new window is made. Unit: metres.
    public static let step = 2000.0
    /// Least spacing of nodes. The finest elevation models that cover the earth have a spacing of 30 m. Unit: metres.
    private static let minimumSpacing = 15.0
    /// Length of a second of arc on the equator. On a meridian, it is accurate to 1 %. Unit: metres.
    static let metresPerSecond = Ellipsoid.semiMajorAxis * .pi / 648_000
    /// Full circle. Unit: seconds of arc.
    private static let turn = 1_296_000

    /// Makes a window around a position, with no heights yet; nil within a degree of a pole.
    public init?(around center: GeodeticPosition) {
        let latitude = center.latitudeDegrees
        guard latitude.magnitude <= Self.maximumLatitude else { return nil }
        let shrink = cos(latitude * .pi / 180)
        let columnStep = (1...360).first {
            360 % $0 == 0 && Double($0) * shrink * Self.metresPerSecond >= Self.minimumSpacing
        }
        guard let columnStep else { return nil }
        (rowStep, self.columnStep) = (1, columnStep)
        rows = 2 * Int((Self.reach / Self.metresPerSecond).rounded(.up))
        columns = 2 * Int((Self.reach / (Self.metresPerSecond * shrink * Double(columnStep))).rounded(.up))
        south = Int(((latitude + 90) * 3600).rounded()) - rows / 2
        let middle = Int(((center.longitudeDegrees + 180) * 3600 / Double(columnStep)).rounded()) * columnStep
        west = Self.turned(middle - columns / 2 * columnStep)
        nodes = [Float](repeating: .nan, count: (rows + 1) * (columns + 1))
    }

    private static func turned(_ seconds: Int) -> Int { ((seconds % turn) + turn) % turn }

    /// Cells that the window covers, whole or in part.
    public var cells: [TerrainTile.Cell] {
        let edge = TerrainTile.seconds
        return (south / edge...(south + rows * rowStep) / edge).flatMap { row in
            (west / edge...(west + columns * columnStep) / edge).compactMap { column in
                TerrainTile.Cell(row: row, column: column)
            }
        }
    }

    package mutating func fill(_ tile: TerrainTile) {
        let edge = TerrainTile.seconds
        let north = tile.cell.row * edge - south
        // The window may begin before the antimeridian and end after it.
        var east = tile.cell.column * edge - west
        if east < -edge { east += Self.turn }
        for row in Self.nodes(north, rowStep, rows) {
            for column in Self.nodes(east, columnStep, columns) {
                let height = tile.height(
                    north: Double(row * rowStep - north), east: Double(column * columnStep - east))
                if let height { nodes[row * (columns + 1) + column] = Float(height) }
            }
        }
    }

    /// Returns the indices of the window's nodes within a cell, along one axis. The cell's edge is `offset` beyond the
    /// window's edge. Units of `offset` and `step`: seconds of arc.
    private static func nodes(_ offset: Int, _ step: Int, _ intervals: Int) -> Range<Int> {
        let first = max(0, (offset + step - 1) / step)
        let last = offset + TerrainTile.seconds
        let end = last < 0 ? 0 : min(intervals, last / step) + 1
        return first..<max(first, end)
    }

    /// Whether any height is known.
    public var isEmpty: Bool { !nodes.contains { !$0.isNaN } }

    /// Returns the height of the ground at a position, in metres above the reference level of its elevation model; nil
    /// if it is unknown or outside the window.
    public func height(at position: GeodeticPosition) -> Double? { height(at: coordinates(of: position)) }

    /// Point of the window, in intervals from the southern and the western edge.
    struct Coordinates {
        var row: Double
        var column: Double
    }

    /// Returns the coordinates of a position. Outside the window, they are negative, or beyond `rows` or `columns`.
    func coordinates(of position: GeodeticPosition) -> Coordinates {
        let turn = Double(Self.turn)
        var east = ((position.longitudeDegrees + 180) * 3600 - Double(west)).truncatingRemainder(dividingBy: turn)
        if east < 0 { east += turn }
        // On the side of the earth opposite the window, west and east meet.
        if east > (turn + Double(columns * columnStep)) / 2 { east -= turn }
        return Coordinates(
            row: ((position.latitudeDegrees + 90) * 3600 - Double(south)) / Double(rowStep),
            column: east / Double(columnStep))
    }

    /// Returns the height at a point of the window in metres; nil if it is unknown or outside the window.
    func height(at point: Coordinates) -> Double? {
        guard point.row >= 0, point.row <= Double(rows), point.column >= 0, point.column <= Double(columns) else {
            return nil
        }
        return nodes.withUnsafeBufferPointer { nodes in
            Bilinear(point.row, point.column, rows, columns).value { row, column in
                let height = nodes[row * (columns + 1) + column]
                return height.isNaN ? nil : Double(height)
            }
        }
    }
}
