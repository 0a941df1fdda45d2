import Fleet
import WaymarkInterface

/// Table of wearers: condition, time since the last message, accuracy, heading and the newest event, as far as there is
/// room.
struct FleetTable: Sendable {
    let wearers: [ObservedWearer]
    /// Identifier of the wearer whose row is always visible.
    let selected: String?
    /// Current time by this computer's clock.
    let now: UTCTime
    let area: CellArea

    /// Widths of the columns after the identifier, most important first.
    private static let (conditionWidth, ageWidth, accuracyWidth, headingWidth, eventWidth) = (15, 6, 9, 6, 12)
    private static let (minimumIdentifierLength, maximumIdentifierLength) = (4, 24)
    private static let gap = 2

    func draw(into grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        for (row, wearer) in visible.enumerated() { draw(wearer, row, &grid) }
        let hidden = wearers.count - visible.count
        guard hidden > 0 else { return }
        grid.put("and \(hidden) more", in: area, row: area.rows - 1, column: 2, .faint)
    }

    /// Visible wearers, around the selected one.
    private var visible: ArraySlice<ObservedWearer> {
        guard wearers.count > area.rows else { return wearers[...] }
        let count = max(1, area.rows - 1)
        let index = selected.flatMap { name in wearers.firstIndex { $0.identifier == name } } ?? 0
        let first = max(0, min(index - count / 2, wearers.count - count))
        return wearers[first..<first + count]
    }

    private var identifierWidth: Int {
        let longest = visible.map(\.identifier.utf8.count).max() ?? 0
        return max(Self.minimumIdentifierLength, min(longest, Self.maximumIdentifierLength, area.columns / 2))
    }

    private func draw(_ wearer: ObservedWearer, _ row: Int, _ grid: inout CellGrid) {
        let condition = WearerCondition(wearer, now: now)
        let isSelected = wearer.identifier == selected
        grid.put(isSelected ? (grid.canvas.unicode ? "▶" : ">") : " ", in: area, row: row, .strong)
        grid.put(grid.canvas.unicode ? "●" : "*", in: area, row: row, column: 1, condition.ink)
        var column = 3
        func put(_ text: String, _ width: Int, _ ink: Ink) {
            guard column + width <= area.columns else { return column = area.columns }
            grid.put(TextWidth.cut(text, to: width), in: area, row: row, column: column, ink)
            column += width + Self.gap
        }
        put(wearer.identifier, identifierWidth, isSelected ? .strong : .plain)
        put(condition.text, Self.conditionWidth, condition.ink)
        put(
            wearer.lastSeen(now: now).map { FleetText.age(since: $0, now: now) } ?? Words.unknown, Self.ageWidth, .plain
        )
        put(wearer.pose.map { Words.accuracy($0.horizontalAccuracy, " m") } ?? "", Self.accuracyWidth, .plain)
        put(wearer.pose?.heading.map(heading) ?? "", Self.headingWidth, .plain)
        guard column + Self.eventWidth <= area.columns, let event = wearer.event else { return }
        grid.put(FleetText.event(event, now: now), in: area, row: row, column: column, .faint)
    }

    private func heading(_ degrees: Double) -> String {
        "\(Words.arrow(degrees)) \(Words.bearing(degrees, digits: 0))"
    }
}
