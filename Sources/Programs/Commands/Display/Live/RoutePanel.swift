import WaymarkClient

/// Panel with the next turn, the destination, and then items ahead, as far as there is room.
struct RoutePanel: Sendable {
    let route: Waymark.Route?
    let ahead: [Waymark.Item]

    func draw(into grid: inout CellGrid, _ area: CellArea) {
        guard !area.isEmpty else { return }
        var row = 0
        for line in routeLines where row < area.rows {
            let used = grid.put("\(line.sign) ", in: area, row: row, line.ink)
            grid.put(line.text, in: area, row: row, column: used, line.ink)
            row += 1
        }
        guard row < area.rows else { return }
        if route != nil, area.rows >= 8 { row += 1 }
        if ahead.isEmpty { grid.put("nothing ahead", in: area, row: row, .faint) }
        for item in others.prefix(area.rows) where row < area.rows {
            draw(item, row: row, into: &grid, area)
            row += 1
        }
    }

    /// Items ahead, except the next turn and the destination, which have lines of their own.
    private var others: [Waymark.Item] {
        guard route?.state == .following else { return ahead }
        let next = ahead.filter { $0.kind == .turn }.compactMap(\.alongRoute).min()
        return ahead.filter { item in
            item.kind != .destination && !(item.kind == .turn && item.alongRoute == next)
        }
    }

    private typealias Line = (sign: Unicode.Scalar, text: String, ink: Ink)

    private var routeLines: [Line] {
        guard let route else { return [] }
        let name = OutsideText.line(route.name)
        switch route.state {
        case .arrived: return [("⚑", "arrived: \(name)", .good)]
        case .offRoute:
            let distance = route.distanceFromRoute.map { " by \(Words.distance($0))" } ?? ""
            return [("↻", "off the route\(distance)", .warning), destination(name, route)]
        case .following: return [turn(route), destination(name, route)].compactMap(\.self)
        }
    }

    private func turn(_ route: Waymark.Route) -> Line? {
        guard let turn = route.nextTurn else { return nil }
        let sign = TurnSign.of(turn.kind, turn.side)
        return (sign, "\(OutsideText.line(turn.text)) in \(Words.distance(turn.alongRoute))", .turn)
    }

    private func destination(_ name: String, _ route: Waymark.Route) -> Line {
        var text = name
        if let remaining = route.remaining { text += ", \(Words.distance(remaining)) left" }
        if let seconds = route.remainingSeconds { text += ", \(Words.duration(seconds))" }
        return ("⚑", text, .destination)
    }

    private func draw(_ item: Waymark.Item, row: Int, into grid: inout CellGrid, _ area: CellArea) {
        let arrow = item.turn.map(Words.arrow) ?? Words.compassPoint(item.bearing)
        grid.put(arrow, in: area, row: row, .faint)
        grid.put(Words.distance(item.distance).right(8), in: area, row: row, column: 2)
        let name = OutsideText.line(item.name)
        let short = name.isEmpty ? OutsideText.line(item.kind.description) : name
        let long = short + (item.alongRoute.map { ", \(Words.distance($0)) along the route" } ?? "")
        let text = TextWidth.columns(of: long) + 12 <= area.columns ? long : short
        let ink: Ink = item.kind == .turn ? .route : item.kind == .destination ? .destination : .plain
        grid.put(text, in: area, row: row, column: 12, ink)
    }
}
