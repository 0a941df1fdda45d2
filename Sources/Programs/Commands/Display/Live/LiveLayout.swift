/// Areas of the live view in a terminal of a given size. If there are too few rows, the least important areas are
/// omitted, roughly in this order: horizon and sensors, keys, names on the compass ribbon, radar, route, and the ribbon
/// itself.
struct LiveLayout: Equatable, Sendable {
    private(set) var title: CellArea
    private(set) var notices = CellArea.none
    private(set) var ribbon = CellArea.none
    private(set) var horizon = CellArea.none
    private(set) var radar = CellArea.none
    private(set) var state = CellArea.none
    private(set) var route = CellArea.none
    private(set) var sensors = CellArea.none
    private(set) var footer = CellArea.none

    /// Minimum number of rows of the terminal for a footer.
    private static let footerRows = 16
    /// Minimum number of columns for horizon, radar and state side by side.
    private static let wideColumns = 72
    /// Minimum number of columns for radar and state side by side.
    private static let mediumColumns = 40
    /// Number of columns between two areas.
    private static let gap = 2

    /// - Parameters:
    ///   - wanted: number of lines of notices wanted below the title.
    ///   - sensorRows: number of lines that all sensors would fill.
    init(rows: Int, columns: Int, notices wanted: Int, sensorRows: Int) {
        title = CellArea(row: 0, column: 0, rows: 1, columns: columns)
        var row = 1
        var left = rows - 1
        func take(_ count: Int) -> CellArea {
            let area = CellArea(row: row, column: 0, rows: min(count, left), columns: columns)
            row += area.rows
            left -= area.rows
            return area
        }
        if rows >= Self.footerRows {
            footer = CellArea(row: rows - 1, column: 0, rows: 1, columns: columns)
            left -= 1
        }
        notices = take(rows < 5 ? 0 : min(wanted, max(1, rows / 5)))
        ribbon = take(Self.ribbonRows(left))
        if left >= 15 { _ = take(1) }
        let body = CellArea(row: row, column: 0, rows: left, columns: columns)
        if columns >= Self.wideColumns, body.rows >= 7 {
            layOutWide(body, sensorRows)
        } else if columns >= Self.mediumColumns, body.rows >= 5 {
            layOutMedium(body, sensorRows)
        } else {
            layOutNarrow(body, sensorRows)
        }
    }

    private static func ribbonRows(_ left: Int) -> Int {
        let steps = [(2, 0), (6, 2), (9, 3), (14, 4), (19, 5), (26, 6), (38, 7)]
        return steps.first { left < $0.0 }?.1 ?? 8
    }

    /// Places horizon, radar and state above, and sensors and route below. If there is no room below, places the route
    /// beside the state.
    private mutating func layOutWide(_ body: CellArea, _ sensorRows: Int) {
        let hasBottom = body.rows >= 13
        // Up to two fifths of the rows are for sensors, so that a terminal of 24 rows has room for one aid source in
        // addition to the usual sensors.
        let few = min(sensorRows, body.rows * 2 / 5)
        let bottom = hasBottom ? max(5, few, min(max(sensorRows, 10), body.rows / 3)) : 0
        let top = body.rows - bottom - (hasBottom ? 1 : 0)
        // Number of columns of a radar that is as wide as high: a cell is twice as high as wide.
        let round = top * 2 + 1
        if hasBottom {
            let width = min(round, body.columns * 31 / 100)
            let wide = min(round + round / 3, body.columns * 30 / 100)
            horizon = body.part(0, 0, top, wide)
            radar = body.part(0, wide + Self.gap, top, width)
            let second = wide + width + 2 * Self.gap
            state = body.part(0, second, top, body.columns - second)
            let half = min(body.columns / 2 - Self.gap, 60)
            sensors = body.part(top + 1, 0, bottom, half)
            route = body.part(top + 1, half + Self.gap, bottom, body.columns - half - Self.gap)
        } else {
            let width = min(round, body.columns * 31 / 100)
            let second = width + Self.gap
            let column = (body.columns - second) / 2
            radar = body.part(0, 0, top, width)
            state = body.part(0, second, top, column - Self.gap)
            route = body.part(0, second + column, top, body.columns - second - column)
        }
    }

    /// Places radar and state side by side, and the route and then the sensors below.
    private mutating func layOutMedium(_ body: CellArea, _ sensorRows: Int) {
        let hasBottom = body.rows >= 11
        let bottom = hasBottom ? min(body.rows / 2, 3 + (body.rows >= 18 ? sensorRows + 1 : 0)) : 0
        let top = body.rows - bottom
        let picture = min(top * 2 + 1, body.columns / 2 - Self.gap)
        let second = picture + Self.gap
        radar = body.part(0, 0, top, picture)
        let routeRows = hasBottom ? 0 : min(2, top / 2)
        state = body.part(0, second, top - routeRows, body.columns - second)
        guard hasBottom else {
            route = body.part(top - routeRows, second, routeRows, body.columns - second)
            return
        }
        route = body.part(top, 0, min(3, bottom), body.columns)
        sensors = body.part(top + 4, 0, bottom - 4, body.columns)
    }

    /// Places state, route and radar one below the other.
    private mutating func layOutNarrow(_ body: CellArea, _ sensorRows: Int) {
        let hasRadar = body.rows >= 12 && body.columns >= 12
        let routeRows = body.rows >= 4 ? 2 : 0
        let radarRows = hasRadar ? min(body.rows - 7, (body.columns + 1) / 2) : 0
        state = body.part(0, 0, body.rows - routeRows - radarRows, body.columns)
        route = body.part(state.rows, 0, routeRows, body.columns)
        radar = body.part(state.rows + routeRows, 0, radarRows, body.columns)
    }
}

extension CellArea {
    static let none = CellArea(row: 0, column: 0, rows: 0, columns: 0)

    /// Part of this rectangle, given relative to its upper left corner and clipped to it.
    fileprivate func part(_ row: Int, _ column: Int, _ rows: Int, _ columns: Int) -> CellArea {
        CellArea(
            row: self.row + row, column: self.column + column, rows: min(rows, self.rows - row),
            columns: min(columns, self.columns - column))
    }
}
