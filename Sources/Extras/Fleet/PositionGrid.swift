import Geometry
import Glibc

/// A grid of about square cells on the earth: of a position only its cell is published.
///
/// Rows are of equal latitude differences from the equator on, and each row has columns of its own from Greenwich on,
/// so that a cell is as wide as it is high everywhere; all wearers with the same size of grid have the same cells.
package struct PositionGrid: Hashable, Sendable {
    /// A cell, by its row and column.
    package struct Cell: Hashable, Sendable {
        let row: Int
        let column: Int
        /// Level of the height; the ellipsoid is the middle of level 0.
        let level: Int
    }

    /// Side of a cell. Unit: metres.
    package let size: Double

    /// How far beyond the edge of the last cell a position still counts as within it, as a share of the side: a wearer
    /// who stands at an edge would otherwise reveal by leaping cells that this is where the edge is.
    private static let margin = 0.1
    /// Metres of a degree of latitude, on average.
    private static let metresPerDegree = Ellipsoid.semiMajorAxis * .pi / 180

    /// - Parameter size: side of a cell, above 0; less than 1 counts as 1. Unit: metres.
    package init(size: Double) {
        precondition(size > 0, "a grid needs a size")
        self.size = max(size, 1)
    }

    /// The cell of a position.
    ///
    /// - Parameter last: the cell that was published last; it stays while the position is hardly outside.
    package func cell(of position: GeodeticPosition, after last: Cell?) -> Cell {
        if let last, isNear(position, last) { return last }
        let row = Int((position.latitudeDegrees / rowHeight).rounded(.down))
        let column = Int((position.longitudeDegrees / columnWidth(row)).rounded(.down))
        return Cell(row: row, column: column, level: level(position.ellipsoidalHeight))
    }

    /// The middle of a cell.
    package func center(of cell: Cell) -> GeodeticPosition {
        let latitude = min(max((Double(cell.row) + 0.5) * rowHeight, -90), 90)
        let longitude = min(max((Double(cell.column) + 0.5) * columnWidth(cell.row), -180), 180)
        return GeodeticPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: Double(cell.level) * size)!
    }

    /// Radius around the middle of a cell that contains the wearer in 68 % of cases, for a wearer who may be anywhere
    /// in the cell, with an accuracy of their own. A circle of 0.465 sides has 68 % of a square's area. Unit: metres.
    package func horizontalAccuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.465 * size) }

    /// The same for the height, whose level is evenly distributed: 68 % within 0.34 sides. Unit: metres.
    package func verticalAccuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.34 * size) }

    /// Far beyond the height of any wearer, and within the numbers that an integer holds.
    private static let mostLevels = 1e9

    private func level(_ height: Double) -> Int {
        Int(min(max((height / size).rounded(), -Self.mostLevels), Self.mostLevels))
    }

    /// Difference of latitude of a row. Unit: degrees.
    private var rowHeight: Double { size / Self.metresPerDegree }

    /// Difference of longitude of a column; near the poles, where the cosine vanishes, one column is all around. Unit:
    /// degrees.
    private func columnWidth(_ row: Int) -> Double {
        let middle = (Double(row) + 0.5) * rowHeight * .pi / 180
        return min(rowHeight / max(cos(middle), 1e-9), 360)
    }

    private func isNear(_ position: GeodeticPosition, _ cell: Cell) -> Bool {
        let middle = center(of: cell)
        let rows = (position.latitudeDegrees - middle.latitudeDegrees) / rowHeight
        let columns = (position.longitudeDegrees - middle.longitudeDegrees) / columnWidth(cell.row)
        let levels = (position.ellipsoidalHeight - middle.ellipsoidalHeight) / size
        return [rows, columns, levels].allSatisfy { $0.magnitude <= 0.5 + Self.margin }
    }
}
