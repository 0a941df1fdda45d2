import Fleet
import Geometry
import WaymarkInterface

/// The live view of `waymark fleet watch`: a list of wearers, a map, and all details of one wearer, drawn for a
/// terminal of any size.
package struct FleetView: Sendable {
    package enum Link: Hashable, Sendable {
        case connected(broker: String)
        /// The connection was lost at this time, for this reason.
        case away(since: UTCTime, problem: String)
    }

    private enum Order {
        case identifier
        /// Wearers that need attention come first.
        case attention
    }

    package var link: Link
    /// Whether keys are read; if so, the view lists them.
    package var hasKeys = false
    /// Time without any wearer after which the view shows what may be the cause. Unit: nanoseconds.
    private static let patience: Int64 = 5_000_000_000
    /// Factor by which a key press changes the map's scale.
    private static let zoomStep = 1.5

    private var roster: FleetRoster
    private var order = Order.identifier
    private var wearers: [ObservedWearer] = []
    private var selected: String?
    private var section: MapSection?
    /// Whether the map follows all wearers; otherwise the selected wearer is in the map's centre.
    private var followsAll = true
    private var now: UTCTime
    private let begin: UTCTime

    /// - Parameters:
    ///   - root: first part of the topics.
    ///   - now: current time by this computer's clock.
    package init(root: String, broker: String, now: UTCTime) {
        (roster, link) = (FleetRoster(root: root), .connected(broker: broker))
        (self.now, begin) = (now, now)
    }

    /// Sets the current state of the fleet, to be drawn next.
    package mutating func show(_ roster: FleetRoster, now: UTCTime) {
        (self.roster, self.now) = (roster, now)
        let known = roster.wearers.values
        switch order {
        case .identifier: wearers = Self.sorted(known) { _ in 0 }
        case .attention: wearers = Self.sorted(known) { WearerCondition($0, now: now).rank }
        }
        if selected.map({ roster.wearers[$0] == nil }) ?? true {
            selected = (wearers.first(where: \.isOnline) ?? wearers.first)?.identifier
        }
        updateSection()
    }

    /// Sorts by rank, then by identifier. Trailing numbers are compared as numbers, so helmet-9 is before helmet-10.
    private static func sorted(
        _ wearers: some Collection<ObservedWearer>, rank: (ObservedWearer) -> Int
    ) -> [ObservedWearer] {
        let keyed = wearers.map { wearer in
            let name = wearer.identifier
            let digits = name.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            return (key: (rank(wearer), name.dropLast(digits), digits, name), wearer: wearer)
        }
        return keyed.sorted { $0.key < $1.key }.map(\.wearer)
    }

    private mutating func updateSection() {
        if !followsAll, let position = selectedPosition {
            section = section?.moved(to: position)
            return
        }
        let online = wearers.filter(\.isOnline).compactMap { $0.pose?.position }
        let positions = online.isEmpty ? wearers.compactMap { $0.pose?.position } : online
        section = section?.following(positions) ?? MapSection.around(positions)
    }

    private var selectedPosition: GeodeticPosition? {
        selected.flatMap { roster.wearers[$0]?.pose?.position }
    }

    // MARK: - Keys

    /// Performs the action of a key, if it has one.
    package mutating func press(_ key: Character) {
        switch key {
        case "j", "n": select(by: 1)
        case "k", "p": select(by: -1)
        case "+", "=": zoom(by: 1 / Self.zoomStep)
        case "-", "_": zoom(by: Self.zoomStep)
        case "0", "a":
            followsAll = true
            section = nil
        case "o": order = order == .identifier ? .attention : .identifier
        default: return
        }
        show(roster, now: now)
    }

    private mutating func select(by step: Int) {
        guard !wearers.isEmpty else { return }
        let index = wearers.firstIndex { $0.identifier == selected } ?? 0
        selected = wearers[max(0, min(index + step, wearers.count - 1))].identifier
    }

    private mutating func zoom(by factor: Double) {
        guard selectedPosition != nil else { return }
        followsAll = false
        section = section?.zoomed(by: factor)
    }

    // MARK: - The picture

    package func picture(rows: Int, columns: Int, canvas: Canvas) -> CellGrid {
        var grid = CellGrid(rows: rows, columns: columns, canvas: canvas)
        let notices = notices(columns: grid.columns)
        let layout = FleetLayout(
            rows: grid.rows, columns: grid.columns, notices: notices.count, wearers: wearers.count)
        FleetTable(wearers: wearers, selected: selected, now: now, area: layout.table).draw(into: &grid)
        if let wearer = selected.flatMap({ roster.wearers[$0] }) {
            WearerPanel(wearer: wearer, now: now, area: layout.panel).draw(into: &grid)
        }
        if let section {
            FleetMap(wearers: wearers, selected: selected, section: section, now: now, area: layout.map)
                .draw(into: &grid)
        }
        // Without a connection the last known state is shown, faded.
        if case .away = link { grid.fade(grid.area) }
        drawTitle(layout.title, &grid)
        for (row, notice) in notices.enumerated() { grid.put(notice.text, in: layout.notices, row: row, notice.ink) }
        drawFooter(layout.footer, &grid)
        return grid
    }

    private func notices(columns: Int) -> [(text: String, ink: Ink)] {
        var notices: [(String, Ink)] = []
        switch link {
        case .away(let since, let problem):
            notices.append(("no broker for \(FleetText.age(since: since, now: now)); connecting again and again", .bad))
            notices.append((OutsideText.line(problem), .warning))
        case .connected where roster.wearers.isEmpty && now.nanoseconds - begin.nanoseconds > Self.patience:
            let text = "nothing has come on \(roster.root)/+/+: does a wearer publish, and may this client read it?"
            notices.append((text, .warning))
        case .connected: break
        }
        if roster.leftOut > 0 {
            notices.append(("more than \(FleetRoster.maximumWearerCount) wearers; the others are left out", .warning))
        }
        if let reason = roster.lastRefusal {
            notices.append(("\(roster.refused) messages refused, the last: \(OutsideText.line(reason))", .warning))
        }
        return notices.flatMap { notice in
            TextWidth.wrapped(notice.0, columns: columns).map { ($0, notice.1) }
        }
    }

    private func drawTitle(_ area: CellArea, _ grid: inout CellGrid) {
        let conditions = wearers.map { WearerCondition($0, now: now) }
        var ink = Ink.good
        if case .away = link { ink = .bad }
        var column = grid.put(grid.canvas.unicode ? "● " : "* ", in: area, row: 0, ink)
        let count = wearers.count == 1 ? "1 wearer" : "\(wearers.count) wearers"
        column += grid.put(wearers.isEmpty ? "no wearer yet" : count, in: area, row: 0, column: column, .strong)
        for (text, ink) in Self.tally(conditions) where column + 2 + text.count <= area.columns {
            column += 2 + grid.put(text, in: area, row: 0, column: column + 2, ink)
        }
        let clock = "\(now)".dropFirst(11).prefix(8) + " UTC"
        guard column + 2 + clock.count <= area.columns else { return }
        grid.put(String(clock), in: area, row: 0, column: area.columns - clock.count, .faint)
    }

    /// Counts the wearers in each condition.
    private static func tally(_ conditions: [WearerCondition]) -> [(String, Ink)] {
        let limited = conditions.count { if case .limited = $0 { true } else { $0 == .waiting } }
        let counts: [(Int, String, Ink)] = [
            (conditions.count { $0 == .localized }, "localized", .good), (limited, "not localized", .warning),
            (conditions.count { $0 == .withheld }, "private", .place),
            (conditions.count { $0.ink == .bad }, "in trouble", .bad),
            (conditions.count { $0 == .left }, "left", .faint),
        ]
        return counts.filter { $0.0 > 0 }.map { ("\($0.0) \($0.1)", $0.2) }
    }

    private func drawFooter(_ area: CellArea, _ grid: inout CellGrid) {
        guard !area.isEmpty else { return }
        let keys = hasKeys ? ["q quit   j k wearer   + - 0 map   o order", "q quit  j k  + - 0  o"] : ["Ctrl-C quit"]
        let used = grid.put(keys.first { $0.count <= area.columns } ?? "", in: area, row: 0, .faint)
        guard case .connected(let broker) = link else { return }
        let texts = ["\(broker), \(roster.taken) messages", broker]
        guard let text = texts.first(where: { used + 3 + TextWidth.columns(of: $0) <= area.columns }) else { return }
        grid.put(text, in: area, row: 0, column: area.columns - TextWidth.columns(of: text), .faint)
    }
}
