import Geometry
import Glibc

/// A grid of approximately square cells on the earth. It serves to publish only the cell in which a position lies.
///
/// All rows have the same latitude difference; they are counted from the equator. Each row is divided into columns of
/// its own, counted from Greenwich, so that cells are everywhere as wide as they are high. All wearers with the same
/// grid size have the same cells.
package struct PositionGrid: Hashable, Sendable {
    /// A cell, by its row and column.
    package struct Cell: Hashable, Sendable {
        let row: Int
        let column: Int
        /// Vertical index; the ellipsoid is the middle of level 0.
        let level: Int
    }

    /// Side of a cell. Unit: metres.
    package let size: Double

    /// Distance beyond the edge of the last published cell within which a position still counts as inside that cell, as
    /// a fraction of the cell's side. Without this margin, repeated changes of the cell would reveal that a wearer
    /// stands at its edge.
    private static let margin = 0.1
    /// Mean number of metres per degree of latitude.
    private static let metresPerDegree = Ellipsoid.semiMajorAxis * .pi / 180

    /// - Parameter size: side of a cell, above 0; less than 1 counts as 1. Unit: metres.
    package init(size: Double) {
        precondition(size > 0, "a grid needs a size")
        self.size = max(size, 1)
    }

    /// Returns the cell of a position.
    ///
    /// - Parameter last: last published cell; it is kept while the position is only slightly outside it.
    package func cell(of position: GeodeticPosition, after last: Cell?) -> Cell {
        if let last, isNear(position, last) { return last }
        let row = Int((position.latitudeDegrees / rowHeight).rounded(.down))
        let column = Int((position.longitudeDegrees / columnWidth(row)).rounded(.down))
        return Cell(row: row, column: column, level: level(position.ellipsoidalHeight))
    }

    package func center(of cell: Cell) -> GeodeticPosition {
        let latitude = min(max((Double(cell.row) + 0.5) * rowHeight, -90), 90)
        let longitude = min(max((Double(cell.column) + 0.5) * columnWidth(cell.row), -180), 180)
        return GeodeticPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, ellipsoidalHeight: Double(cell.level) * size)!
    }

    /// Returns the 68 % radius around the middle of a cell, for a wearer who may be anywhere in the cell and whose
    /// position has the given accuracy. A circle with a radius of 0.465 sides has 68 % of a square's area. Unit:
    /// metres.
    package func horizontalAccuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.465 * size) }

    /// Returns the 68 % half-width of the height around the middle of a cell. Heights are assumed to be uniformly
    /// distributed within the cell, so that 68 % of them are within 0.34 sides of the middle. Unit: metres.
    package func verticalAccuracy(_ accuracy: Double) -> Double { hypot(accuracy, 0.34 * size) }

    /// Maximum vertical index: far above any wearer, and within the range of an integer.
    private static let maximumLevelCount = 1e9

    private func level(_ height: Double) -> Int {
        Int(min(max((height / size).rounded(), -Self.maximumLevelCount), Self.maximumLevelCount))
    }

    /// Latitude difference of a row. Unit: degrees.
    private var rowHeight: Double { size / Self.metresPerDegree }

    /// Returns the longitude difference of a column. Near the poles, where the cosine vanishes, one column goes all the
    /// way around. Unit: degrees.
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
