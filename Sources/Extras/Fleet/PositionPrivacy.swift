import Configuration
import Geometry

/// Filter for positions that may leave the board.
///
/// In doubt it withholds a position. If there are private areas, a position without an accuracy is withheld, and a
/// wearer without a position counts as inside an area.
package struct PositionPrivacy: Sendable {
    /// A position as it may be published.
    package struct Published: Hashable, Sendable {
        package var position: GeodeticPosition
        /// 68 % radius. Unit: metres.
        package var horizontalAccuracy: Double?
        /// 68 % half-width. Unit: metres.
        package var verticalAccuracy: Double?
    }

    private let grid: PositionGrid?
    private let areas: [PrivateArea]
    private var cell: PositionGrid.Cell?
    /// Time since which the wearer has been outside all areas; nil while that is unknown. CLOCK_BOOTTIME, unit: ns.
    private var outsideSince: Int64?

    /// - Parameter gridMetres: size of the grid; 0 for exact positions. Unit: metres.
    package init(gridMetres: Double, areas: [PrivateArea]) {
        grid = gridMetres > 0 ? PositionGrid(size: gridMetres) : nil
        self.areas = areas
    }

    /// Whether the wearer may be within an area, according to the known positions.
    package var isWithheld: Bool { !areas.isEmpty && outsideSince == nil }

    /// Whether there are areas at all.
    package var hasAreas: Bool { !areas.isEmpty }

    /// Whether positions are reduced to a grid.
    package var isCoarse: Bool { grid != nil }

    /// Whether an event may be published, because the wearer was outside all areas when it happened, and has been
    /// since.
    ///
    /// - Parameter time: time of the event, CLOCK_BOOTTIME. Unit: nanoseconds.
    package func permitsEvent(at time: Int64) -> Bool {
        areas.isEmpty || outsideSince.map { time >= $0 } ?? false
    }

    /// Records that the position is no longer known.
    package mutating func lose() { outsideSince = nil }

    /// Returns the position as it may be published; nil within a private area.
    ///
    /// - Parameter time: time of the position, CLOCK_BOOTTIME. Unit: nanoseconds.
    package mutating func publish(
        _ position: GeodeticPosition, horizontalAccuracy: Double?, verticalAccuracy: Double?, at time: Int64
    ) -> Published? {
        let mayBeInside = areas.contains { area in
            guard let horizontalAccuracy else { return true }
            return area.mayContain(position, accuracy: horizontalAccuracy)
        }
        outsideSince = mayBeInside ? nil : outsideSince ?? time
        guard !mayBeInside else { return nil }
        guard let grid else {
            return Published(
                position: position, horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy)
        }
        let cell = grid.cell(of: position, after: cell)
        self.cell = cell
        return Published(
            position: grid.center(of: cell),
            horizontalAccuracy: horizontalAccuracy.map(grid.horizontalAccuracy),
            verticalAccuracy: verticalAccuracy.map(grid.verticalAccuracy))
    }
}
