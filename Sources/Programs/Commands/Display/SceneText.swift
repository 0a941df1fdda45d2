import Geometry
import Glibc
import WaymarkClient
import WaymarkInterface

package enum SceneText {
    /// State of the frame, the route and the sun, one line each, followed by a table of the placements, nearest first.
    ///
    /// - Parameters:
    ///   - columns: characters per line; if there are too few, texts are wrapped, and the table omits identifiers and
    ///     shortens names.
    ///   - rows: number of lines; if there are too few, the table omits the farthest placements, and reports that.
    package static func lines(_ state: Waymark.SceneState, columns: Int = .max, rows: Int = .max) -> [String] {
        guard let scene = state.newest else { return ["waiting for the scene"] }
        var lines = [frame(scene)]
        if let route = scene.route { lines.append(self.route(route)) }
        if let sun = scene.sun { lines.append(self.sun(sun)) }
        lines = lines.flatMap {
            LabelledText.wrapped(String($0.prefix(10)), String($0.dropFirst(10)), columns: columns)
        }
        lines.append("")
        return lines + table(state.nearest, left: scene.left ?? 0, columns: columns, rows: rows - lines.count)
    }

    package static func event(_ event: Waymark.Event) -> String {
        var parts = ["\(event.time.seconds.fixed(1)) s", Words.line(event.kind)]
        if let text = event.text { parts.append("\"\(Words.line(text))\"") }
        if let id = event.id { parts.append(Words.line(id)) }
        if let side = event.side { parts.append("\(side)") }
        if let distance = event.distance { parts.append(Words.distance(distance)) }
        if let state = event.state { parts.append("\(state)") }
        if let reasons = event.reasons, !reasons.isEmpty {
            parts.append("(\(reasons.map { Words.line($0) }.joined(separator: ", ")))")
        }
        return parts.joined(separator: "  ")
    }

    static func frame(_ scene: Waymark.Scene) -> String {
        let reasons = Words.list(scene.reasons, separator: ", ")
        return "frame".left(10) + "\(scene.readiness)" + (reasons.isEmpty ? "" : " (\(reasons))")
            + ", generation \(scene.generation)"
    }

    static func route(_ route: Waymark.Route) -> String {
        var text = "route".left(10) + "\(Words.line(route.name)): \(route.state)"
        if let remaining = route.remaining { text += ", \(Words.distance(remaining)) left" }
        if let seconds = route.remainingSeconds { text += ", \(Words.duration(seconds))" }
        if let turn = route.nextTurn {
            text += ", \(Words.line(turn.text)) in \(Words.distance(turn.alongRoute))"
        }
        return text
    }

    static func sun(_ sun: Waymark.Sun) -> String {
        let side = sun.elevation < 0 ? "below" : "above"
        return "sun".left(10) + "\(light(sun.light)), \(sun.elevation.magnitude.fixed(1))° \(side) the horizon at "
            + Words.bearing(sun.azimuth, digits: 0)
    }

    private static func light(_ light: SceneInterface.Daylight) -> String {
        light == .civilTwilight ? "civil twilight" : "\(light)"
    }

    private static func table(_ placements: [Waymark.Placement], left: Int, columns: Int, rows: Int) -> [String] {
        guard !placements.isEmpty else { return ["No placements."] }
        let named = placements.filter { !isMark($0) }
        var tail: [String] = []
        if placements.count > named.count {
            tail += ["", "plus \(placements.count - named.count) arrows and nodes of the route"]
        }
        if left > 0 { tail.append("\(left) more omitted (limit reached)") }
        // The titles also take a line.
        let room = max(1, rows - tail.count - 1)
        let shown = named.count > room ? Array(named.prefix(max(1, room - 1))) : named
        if shown.count < named.count { tail.insert("\(named.count - shown.count) more, farther away", at: 0) }
        return table(shown, columns: columns) + tail
    }

    private static func table(_ placements: [Waymark.Placement], columns: Int) -> [String] {
        let titles: [(title: String, alignment: Table.Alignment)] = [
            ("", .left), ("distance", .right), ("bearing", .right), ("turn", .right), ("slot", .right), ("seen", .left),
            ("kind", .left), ("name", .left), ("id", .left),
        ]
        let cells = placements.map(row)
        func lines(_ cells: [[String]], _ count: Int) -> [String] {
            Table(Array(titles.prefix(count)), cells.map { Array($0.prefix(count)) }).lines
        }
        let whole = lines(cells, titles.count)
        guard whole.contains(where: { $0.count > columns }) else { return whole }
        let most = lines(cells, titles.count - 1)
        let excess = (most.map(\.count).max() ?? 0) - columns
        guard excess > 0 else { return most }
        let name = titles.count - 2
        let maximumLength = max(4, (cells.map { $0[name].count }.max() ?? 0) - excess)
        let shortened = cells.map { row in
            var row = row
            if row[name].count > maximumLength { row[name] = row[name].prefix(maximumLength - 1) + "…" }
            return row
        }
        return lines(shortened, titles.count - 1)
    }

    private static func isMark(_ placement: Waymark.Placement) -> Bool {
        placement.kind == .arrow || placement.kind == .node
    }

    /// Turn to a placement, from its hint or, if it has no hint, from the radar; 0 if the placement is visible. Unit:
    /// degrees.
    private static func turn(to placement: Waymark.Placement) -> Double? {
        if placement.visible { return 0 }
        if let hint = placement.hint { return hint.turn }
        return placement.radar.map { Angle.degrees(radians: atan2($0.x, $0.y)) }
    }

    private static func row(_ placement: Waymark.Placement) -> [String] {
        let turn = turn(to: placement)
        return [
            placement.visible ? "·" : turn.map(Words.arrow) ?? "",
            placement.distanceText.map { Words.line($0) } ?? Words.distance(placement.distance),
            placement.bearing.map { Words.bearing($0, digits: 0) } ?? Words.unknown,
            placement.visible ? "" : turn.map { "\($0.signed(0))°" } ?? Words.unknown,
            placement.slot.map { "\($0.index)" } ?? Words.unknown, placement.visible ? "yes" : "no",
            Words.line(placement.kind), name(placement), Words.line(placement.id),
        ]
    }
}

extension SceneText {
    /// The name of a cluster is the number of its places.
    private static func name(_ placement: Waymark.Placement) -> String {
        Words.line(placement.name ?? "") + (placement.kind == .cluster ? " places" : "")
    }
}

package enum AheadText {
    package static func table(_ items: [Waymark.Item]) -> [String] {
        guard !items.isEmpty else { return ["Nothing ahead."] }
        let titles: [(title: String, alignment: Table.Alignment)] = [
            ("", .left), ("distance", .right), ("along route", .right), ("bearing", .right), ("turn", .right),
            ("kind", .left), ("name", .left),
        ]
        let rows = items.map { item in
            [
                item.turn.map(Words.arrow) ?? "", Words.distance(item.distance),
                item.alongRoute.map(Words.distance) ?? Words.unknown, Words.bearing(item.bearing, digits: 0),
                item.turn.map { "\($0.signed(0))°" } ?? Words.unknown, Words.line(item.kind), Words.line(item.name),
            ]
        }
        return Table(titles, rows).lines
    }
}
