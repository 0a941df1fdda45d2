/// A strip of the compass around the heading. Places and turns are drawn above its scale, at their bearings. The
/// heading and its accuracy are below the scale.
struct CompassRibbon: Sendable {
    /// Heading, clockwise from the north in `reference`; nil if it is unknown. Unit: degrees.
    let heading: Double?
    /// 68 % accuracy of the heading. Unit: degrees.
    let accuracy: Double?
    /// Reference of the heading, as a text.
    let reference: String
    let targets: [LiveTarget]
    let area: CellArea

    private let degreesPerColumn: Double
    private let middle: Int

    /// Minimum range of the compass that is shown: 60° to each side of the heading. Unit: degrees.
    private static let minimumSpan = 120.0
    /// Scale on terminals of more than 80 columns. Unit: degrees per column.
    private static let wideScale = 1.5

    init(heading: Double?, accuracy: Double?, reference: String, targets: [LiveTarget], area: CellArea) {
        self.heading = heading.flatMap { $0.isFinite ? $0 : nil }
        self.accuracy = accuracy.flatMap { $0.isFinite ? $0.magnitude : nil }
        (self.reference, self.targets, self.area) = (reference, targets, area)
        let columns = Double(max(1, area.columns))
        degreesPerColumn = min(360, max(Self.minimumSpan, Self.wideScale * columns)) / columns
        middle = (area.columns - 1) / 2
    }

    /// Number of rows of the ribbon without labels: marks, scale, heading.
    static let bareRows = 3

    func draw(into grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        let scale = area.rows >= 2 ? area.rows - 2 : 0
        if let heading {
            drawScale(heading, row: area.row + scale, &grid)
            if area.rows >= Self.bareRows { drawTargets(heading, marks: area.row + scale - 1, &grid) }
        } else {
            let rule = String(repeating: grid.canvas.unicode ? "─" : "-", count: area.columns)
            grid.put(rule, row: area.row + scale, column: area.column, .faint)
        }
        if area.rows >= 2 { drawHeading(row: area.row + area.rows - 1, &grid) }
    }

    /// Returns the angle from the heading to a bearing, −180 to 180, positive to the right. Unit: degrees.
    private func turn(to bearing: Double, _ heading: Double) -> Double {
        (bearing - heading).remainder(dividingBy: 360)
    }

    /// Returns the column of a bearing. If the bearing is beyond the ribbon, the column is outside of it, too.
    private func column(of bearing: Double, _ heading: Double) -> Int {
        let column = (turn(to: bearing, heading) / degreesPerColumn).rounded()
        return column.magnitude < 1e6 ? middle + Int(column) : -1
    }

    // MARK: - The scale

    private static let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

    private func drawScale(_ heading: Double, row: Int, _ grid: inout CellGrid) {
        let tick: Unicode.Scalar = grid.canvas.unicode ? "·" : "."
        for degrees in stride(from: 0, to: 360, by: degreesPerColumn > 2.5 ? 15 : 5) {
            let column = column(of: Double(degrees), heading)
            guard (0..<area.columns).contains(column) else { continue }
            grid.put(tick, row: row, column: area.column + column, .faint)
        }
        // A number needs seven columns, including the space around it.
        let step = [15, 30, 45].first { Double($0) / degreesPerColumn >= 7 } ?? 90
        for degrees in stride(from: 0, to: 360, by: step) {
            let isPoint = degrees % 45 == 0
            put(
                isPoint ? Self.points[degrees / 45] : "\(degrees)", isPoint ? .strong : .plain, degrees, heading, row,
                &grid)
        }
        for degrees in stride(from: 0, to: 360, by: 45) where degrees % step != 0 {
            put(Self.points[degrees / 45], .strong, degrees, heading, row, &grid)
        }
        drawBand(row: row, &grid)
    }

    private func put(
        _ text: String, _ ink: Ink, _ degrees: Int, _ heading: Double, _ row: Int, _ grid: inout CellGrid
    ) {
        let start = column(of: Double(degrees), heading) - (text.utf8.count - 1) / 2
        // A text that does not fit is omitted, because a truncated number would be misread as another one.
        guard start >= 0, start + text.utf8.count <= area.columns else { return }
        grid.put(text, row: row, column: area.column + start, ink)
    }

    /// Marks the headings within the accuracy. Without colours, only the number below the scale shows the accuracy.
    private func drawBand(row: Int, _ grid: inout CellGrid) {
        guard let accuracy else { return }
        let half = Int(min(Double(area.columns), accuracy / degreesPerColumn).rounded())
        let columns = max(0, middle - half)...max(0, min(area.columns - 1, middle + half))
        grid.tint(row: row, columns: area.column + columns.lowerBound...area.column + columns.upperBound, .band)
    }

    private func drawHeading(row: Int, _ grid: inout CellGrid) {
        let readout: String
        if let heading {
            readout =
                "\(Words.bearing(wrapped(heading), digits: 1)) \(Words.compassPoint(heading)) \(Words.accuracy(accuracy, "°"))"
        } else {
            readout = "heading not known"
        }
        let text = grid.canvas.unicode ? readout : ASCIIText.line(readout)
        let length = TextWidth.columns(of: text)
        guard heading != nil, middle + 2 + length <= area.columns else {
            grid.put(
                text, row: row, column: area.column + max(0, (area.columns - length) / 2), .strong, limit: area.columns)
            return
        }
        grid.put(grid.canvas.unicode ? "▲" : "^", row: row, column: area.column + middle, .strong)
        let end = middle + 2 + grid.put(text, row: row, column: area.column + middle + 2, .strong)
        let more = "  from \(reference)"
        if end + more.utf8.count <= area.columns { grid.put(more, row: row, column: area.column + end, .faint) }
    }

    /// Angle from 0 to 360.
    private func wrapped(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }

    // MARK: - Places and turns

    private func drawTargets(_ heading: Double, marks: Int, _ grid: inout CellGrid) {
        for target in targets.reversed() {
            let column = column(of: target.bearing, heading)
            guard (0..<area.columns).contains(column) else { continue }
            let sign = grid.canvas.unicode ? target.sign : TurnSign.ascii(target.sign)
            grid.put(sign, row: marks, column: area.column + column, target.ink)
        }
        for target in targets {
            let column = column(of: target.bearing, heading)
            if (0..<area.columns).contains(column) {
                label(target, column, marks, &grid)
            } else if target.kind == .nextTurn || target.kind == .destination {
                point(to: target, isRight: turn(to: target.bearing, heading) > 0, marks, &grid)
            }
        }
    }

    /// Writes the name above the mark, in the lowest row with room for it, or omits it.
    private func label(_ target: LiveTarget, _ column: Int, _ marks: Int, _ grid: inout CellGrid) {
        let maximumLength = max(4, min(28, area.columns / 3))
        let name = TextWidth.cut(target.name, to: maximumLength)
        guard !name.isEmpty else { return }
        for text in [name + " " + Words.distance(target.distance), name] {
            let shown = grid.canvas.unicode ? text : ASCIIText.line(text)
            let width = TextWidth.columns(of: shown)
            guard width <= area.columns else { continue }
            let start = area.column + min(max(0, column - width / 2), area.columns - width)
            var row = marks - 1
            while row >= area.row {
                // Names are at least two columns apart.
                let room = max(area.column, start - 2)..<min(area.column + area.columns, start + width + 2)
                if grid.isFree(row: row, columns: room) {
                    grid.put(shown, row: row, column: start, target.labelInk)
                    return
                }
                // A name that is in this column would come between the mark and a label above that name.
                let mark = area.column + column
                guard grid.isFree(row: row, columns: mark..<mark + 1) else { break }
                row -= 1
            }
        }
    }

    /// Writes the name of a target that is beyond the ribbon at the left or right border, on the target's side.
    private func point(to target: LiveTarget, isRight: Bool, _ marks: Int, _ grid: inout CellGrid) {
        let (left, right): (String, String) = grid.canvas.unicode ? ("◀", "▶") : ("<", ">")
        let name = TextWidth.cut(target.name, to: max(4, area.columns / 4))
        let text = isRight ? "\(name) \(right)" : "\(left) \(name)"
        let shown = grid.canvas.unicode ? text : ASCIIText.line(text)
        let width = TextWidth.columns(of: shown)
        let start = isRight ? area.column + area.columns - width : area.column
        for row in stride(from: marks, through: area.row, by: -1) {
            let room = max(area.column, start - 1)..<min(area.column + area.columns, start + width + 1)
            guard grid.isFree(row: row, columns: room) else { continue }
            grid.put(shown, row: row, column: start, target.ink)
            return
        }
    }
}
