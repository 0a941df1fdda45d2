/// Areas of the fleet's view in a terminal of a given size. If there are too few rows, a map below the table is omitted
/// first, then the panel of the selected wearer, then the footer.
struct FleetLayout: Equatable, Sendable {
    let title: CellArea
    let notices: CellArea
    private(set) var table: CellArea
    private(set) var panel = CellArea.none
    private(set) var map = CellArea.none
    let footer: CellArea

    /// Minimum number of columns for table and map side by side.
    private static let wideColumns = 90
    /// The table's share of the columns if the map is beside it, in percent.
    private static let tableShare = 52
    /// Minimum numbers of rows: of the terminal to show a footer, of the body to show a panel, and of the body to show
    /// a map below the table. The body is everything between notices and footer.
    private static let (footerRows, panelBodyRows, mapBodyRows) = (10, 10, 16)
    private static let panelRows = 6
    private static let gap = 2

    /// - Parameters:
    ///   - wanted: number of lines of notices wanted below the title.
    ///   - wearers: number of rows that the table would fill.
    init(rows: Int, columns: Int, notices wanted: Int, wearers: Int) {
        title = CellArea(row: 0, column: 0, rows: 1, columns: columns)
        let noticeRows = rows < 5 ? 0 : min(wanted, max(1, rows / 5))
        notices = CellArea(row: 1, column: 0, rows: noticeRows, columns: columns)
        let hasFooter = rows >= Self.footerRows
        footer = CellArea(row: rows - 1, column: 0, rows: hasFooter ? 1 : 0, columns: columns)
        let body = CellArea(
            row: 1 + noticeRows, column: 0, rows: rows - 1 - noticeRows - (hasFooter ? 1 : 0), columns: columns)
        table = body
        if columns >= Self.wideColumns { layOutWide(body) } else { layOutNarrow(body, wearers) }
    }

    /// Places table and panel on the left, and the map on the right.
    private mutating func layOutWide(_ body: CellArea) {
        let left = body.columns * Self.tableShare / 100
        let panelRows = body.rows >= Self.panelBodyRows ? Self.panelRows : 0
        table = CellArea(row: body.row, column: 0, rows: body.rows - panelRows, columns: left)
        panel = CellArea(row: body.row + table.rows, column: 0, rows: panelRows, columns: left)
        let column = left + Self.gap
        map = CellArea(row: body.row, column: column, rows: body.rows, columns: body.columns - column)
    }

    /// Places table, panel and map one below the other.
    private mutating func layOutNarrow(_ body: CellArea, _ wearers: Int) {
        guard body.rows >= Self.panelBodyRows else { return }
        let hasMap = body.rows >= Self.mapBodyRows
        let maximumRows = hasMap ? body.rows / 3 : body.rows - Self.panelRows
        table.rows = max(3, min(wearers, maximumRows))
        panel = CellArea(row: body.row + table.rows, column: 0, rows: Self.panelRows, columns: body.columns)
        guard hasMap else { return }
        let row = panel.row + panel.rows
        map = CellArea(row: row, column: 0, rows: body.row + body.rows - row, columns: body.columns)
    }
}
