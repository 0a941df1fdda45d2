import Fleet
import Geometry
import Glibc
import WaymarkInterface

/// Map of the wearers seen from above, north up, without map data. It shows marks that point in the direction of view,
/// the paths of the last minutes, and the accuracy of the selected wearer.
struct FleetMap: Sendable {
    let wearers: [ObservedWearer]
    let selected: String?
    let section: MapSection
    /// Current time by this computer's clock.
    let now: UTCTime
    let area: CellArea

    /// Maximum number of wearers for which paths are drawn. With more wearers no path is drawn, because the paths would
    /// cover the map.
    private static let maximumTrackCount = 60
    /// Maximum length of the scale bar, as a share of the map's width.
    private static let scaleShare = 0.3

    func draw(into grid: inout CellGrid) {
        guard area.rows >= 4, area.columns >= 12 else { return }
        var dots = DotField(area)
        if wearers.count <= Self.maximumTrackCount { for wearer in wearers { drawTrack(wearer, &dots) } }
        drawAccuracy(&dots)
        dots.draw(into: &grid)
        drawScale(&grid)
        grid.put(grid.canvas.unicode ? "N ↑" : "N ^", in: area, row: 0, column: area.columns - 3, .faint)
        // The selected wearer is drawn last, so that it is on top.
        let marked = wearers.filter { $0.pose != nil }.sorted { isLess($0, $1) }
        for wearer in marked { drawMark(wearer, &grid) }
        for wearer in marked.reversed() { drawName(wearer, &grid) }
    }

    private func isLess(_ a: ObservedWearer, _ b: ObservedWearer) -> Bool {
        (a.identifier == selected ? 1 : 0, b.identifier) < (b.identifier == selected ? 1 : 0, a.identifier)
    }

    // MARK: - Places in the area

    private var width: Double { Double(area.columns * 2) }
    private var height: Double { Double(area.rows * 4) }
    /// Number of dots per metre.
    private var scale: Double { min((width / 2 - 1) / section.east, (height / 2 - 1) / section.north) }

    /// Returns a position in dots from the upper left corner of the area.
    private func dot(_ position: GeodeticPosition) -> (x: Double, y: Double) {
        let point = section.point(position)
        return (width / 2 + point.east * scale, height / 2 - point.north * scale)
    }

    /// Returns the cell of a position, counted from the upper left corner of the area; nil outside of the area.
    private func cell(_ position: GeodeticPosition) -> (row: Int, column: Int)? {
        let (x, y) = dot(position)
        guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
        return (Int(y) / 4, Int(x) / 2)
    }

    // MARK: - Parts

    private func drawTrack(_ wearer: ObservedWearer, _ dots: inout DotField) {
        var last: (x: Double, y: Double)?
        for position in wearer.track {
            let next = dot(position)
            if let last { dots.line(from: last, to: next, gap: 2, wearer.identifier == selected ? .route : .faint) }
            last = next
        }
    }

    private func drawAccuracy(_ dots: inout DotField) {
        guard let pose = wearers.first(where: { $0.identifier == selected })?.pose,
            let radius = pose.horizontalAccuracy
        else { return }
        dots.circle(around: dot(pose.position), radius: radius * scale, gap: 2, .band)
    }

    /// Draws a scale bar whose length is 1, 2 or 5 times a power of ten metres, with this length as text.
    private func drawScale(_ grid: inout CellGrid) {
        let maximumLength = Double(area.columns) * Self.scaleShare * 2 / scale
        let power = pow(10, log10(maximumLength).rounded(.down))
        let length = [5, 2, 1].map { $0 * power }.first { $0 <= maximumLength } ?? power
        let columns = max(2, Int((length * scale / 2).rounded()))
        let (left, middle, right) = grid.canvas.unicode ? ("├", "─", "┤") : ("|", "-", "|")
        let bar = left + String(repeating: middle, count: columns - 2) + right
        grid.put("\(bar) \(Self.text(length))", in: area, row: area.rows - 1, .faint)
    }

    private static func text(_ metres: Double) -> String {
        metres < 1000 ? "\(metres.fixed(metres < 1 ? 1 : 0)) m" : "\((metres / 1000).fixed(0)) km"
    }

    private func drawMark(_ wearer: ObservedWearer, _ grid: inout CellGrid) {
        guard let pose = wearer.pose, let cell = cell(pose.position) else { return }
        let condition = WearerCondition(wearer, now: now)
        let sign = pose.heading.map(Words.arrow) ?? "●"
        let ink = wearer.identifier == selected && condition == .localized ? .turn : condition.ink
        grid.put(sign, in: area, row: cell.row, column: cell.column, ink)
    }

    /// Writes the name beside the mark, if there is room.
    private func drawName(_ wearer: ObservedWearer, _ grid: inout CellGrid) {
        guard area.columns >= 24, let pose = wearer.pose, let cell = cell(pose.position) else { return }
        let name = TextWidth.cut(wearer.identifier, to: max(8, area.columns / 4))
        let width = TextWidth.columns(of: name)
        for start in [cell.column + 2, cell.column - width - 1] where start >= 0 && start + width <= area.columns {
            let columns = area.column + start - 1..<area.column + start + width
            guard grid.isFree(row: area.row + cell.row, columns: max(columns.lowerBound, 0)..<columns.upperBound) else {
                continue
            }
            let ink: Ink = wearer.identifier == selected ? .strong : .plain
            grid.put(name, in: area, row: cell.row, column: start, ink)
            return
        }
    }
}
