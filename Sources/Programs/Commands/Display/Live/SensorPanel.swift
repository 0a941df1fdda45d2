import WaymarkClient
import WaymarkInterface

/// Sensors, receiver and aid sources of other programs, with rate, age, gaps and state, and running recordings and
/// calibrations.
struct SensorPanel: Sendable {
    let status: Waymark.Status?
    /// Sources of aiding measurements.
    let aids: [Waymark.AidSource]

    /// Number of rows needed; the last ones are omitted first.
    var rows: Int { 1 + activities.count + (status?.devices.count ?? 1) + aids.count + details.count }

    func draw(into grid: inout CellGrid, _ area: CellArea) {
        guard !area.isEmpty else { return }
        guard let status else {
            grid.put("sensors", in: area, row: 0, .faint)
            grid.put("not known yet", in: area, row: 1)
            return
        }
        let table = table
        let columns = Columns(area.columns, table.map(\.name))
        drawTitles(columns, into: &grid, area)
        var row = 1
        for (text, ink) in activities {
            grid.put(text, in: area, row: row, ink)
            row += 1
        }
        if status.devices.isEmpty { grid.put("no sensors", in: area, row: row, .warning) }
        for entry in table {
            draw(entry, columns, row: row, into: &grid, area)
            row += 1
        }
        for (text, ink) in details where row < area.rows {
            grid.put(text, in: area, row: row, ink)
            row += 1
        }
    }

    /// Activities beside the sensors.
    private var activities: [(String, Ink)] {
        var lines: [(String, Ink)] = []
        if let recording = status?.recording {
            let lost = recording.dropped > 0 ? ", \(recording.dropped) lost" : ""
            let name = OutsideText.line(recording.path).split(separator: "/").last.map(String.init) ?? "?"
            lines.append(("recording \(name), \(Words.size(recording.bytes))\(lost)", lost.isEmpty ? .strong : .bad))
        }
        if let kind = status?.calibration.running { lines.append(("calibrating: \(kind)", .strong)) }
        return lines
    }

    /// Names without their first word if it is the same for all, as in the simulation.
    private var names: [String] {
        let names = (status?.devices ?? []).map { OutsideText.line($0.name) }
        let words = names.map { $0.split(separator: " ", maxSplits: 1) }
        guard names.count > 1, words.allSatisfy({ $0.count == 2 && $0[0] == words[0][0] }) else { return names }
        return words.map { String($0[1]) }
    }

    /// Reasons why devices do not deliver.
    private var details: [(String, Ink)] {
        (status?.devices ?? []).filter { Self.ink($0.state) != .good }.compactMap { device in
            device.detail.map { ("\(OutsideText.line(device.name)): \(OutsideText.line($0))", .warning) }
        }
    }

    // MARK: - The table

    /// A sensor, or an aid source of another program.
    private struct Row {
        var name: String
        var ink: Ink
        var state: String
        /// Sampling rate; nil if it is unknown. Unit: hertz.
        var rate: Double?
        /// Age of the last sample. Unit: seconds.
        var age: Double?
        /// Number of gaps; nil for a source, whose measurements have no fixed rate.
        var gaps: Int?
    }

    private var table: [Row] {
        let devices = zip(status?.devices ?? [], names).map { device, name in
            Row(
                name: name, ink: Self.ink(device.state), state: "\(device.state)", rate: device.grantedRate,
                age: device.age, gaps: device.gaps)
        }
        return devices
            + aids.map { source in
                Row(
                    name: OutsideText.line(source.source), ink: Self.ink(source.state), state: Words.line(source.state),
                    rate: source.rate, age: source.age)
            }
    }

    /// Columns of the table as far as there is room: the state is omitted first, then the gaps and the age.
    private struct Columns {
        var name: Int
        var hasAge: Bool
        var hasGaps: Bool
        var hasState: Bool

        static let rate = 10
        static let age = 7
        static let gaps = 5
        static let state = 11

        init(_ columns: Int, _ names: [String]) {
            // The name, and before it the sign of the state.
            let wanted = 2 + max(8, names.map { TextWidth.columns(of: $0) }.max() ?? 0)
            hasAge = columns >= 12 + Self.rate + Self.age
            hasGaps = columns >= 12 + Self.rate + Self.age + Self.gaps
            hasState = columns >= 16 + Self.rate + Self.age + Self.gaps + Self.state
            let others = (hasAge ? Self.age : 0) + (hasGaps ? Self.gaps : 0) + (hasState ? Self.state : 0)
            name = max(4, min(wanted, columns - Self.rate - others))
        }

        var ageColumn: Int { name + Self.rate }
        var gapsColumn: Int { ageColumn + Self.age }
        var stateColumn: Int { gapsColumn + Self.gaps }
    }

    private func drawTitles(_ columns: Columns, into grid: inout CellGrid, _ area: CellArea) {
        grid.put("sensors", in: area, row: 0, .faint)
        put("rate", columns.name, Columns.rate, row: 0, .faint, &grid, area)
        if columns.hasAge { put("age", columns.ageColumn, Columns.age, row: 0, .faint, &grid, area) }
        if columns.hasGaps { put("gaps", columns.gapsColumn, Columns.gaps, row: 0, .faint, &grid, area) }
        if columns.hasState { put("state", columns.stateColumn, Columns.state, row: 0, .faint, &grid, area) }
    }

    private func draw(
        _ entry: Row, _ columns: Columns, row: Int, into grid: inout CellGrid, _ area: CellArea
    ) {
        let isGood = entry.ink == .good
        grid.put(grid.canvas.unicode ? "●" : "*", in: area, row: row, entry.ink)
        grid.put(TextWidth.cut(entry.name, to: min(columns.name, area.columns) - 2), in: area, row: row, column: 2)
        // Without a rate, the state is the more informative text.
        let rate = isGood ? entry.rate.map { "\($0.fixed(1)) Hz" } : entry.state
        let ink = isGood ? Ink.plain : entry.ink
        put(rate ?? Words.unknown, columns.name, Columns.rate, row: row, ink, &grid, area)
        if columns.hasAge {
            let age = entry.age.map(Self.age) ?? Words.unknown
            put(age, columns.ageColumn, Columns.age, row: row, .plain, &grid, area)
        }
        if columns.hasGaps, let gaps = entry.gaps {
            put(
                "\(gaps)", columns.gapsColumn, Columns.gaps, row: row, gaps > 0 ? .warning : .plain, &grid, area)
        }
        if columns.hasState { put(entry.state, columns.stateColumn, Columns.state, row: row, ink, &grid, area) }
    }

    /// Draws a text at the right border of a column of the table.
    private func put(
        _ text: String, _ column: Int, _ width: Int, row: Int, _ ink: Ink, _ grid: inout CellGrid, _ area: CellArea
    ) {
        let shown = TextWidth.cut(text, to: width - 1)
        grid.put(shown, in: area, row: row, column: column + width - TextWidth.columns(of: shown), ink)
    }

    /// "12 ms" below a second, "3.4 s" below a minute.
    private static func age(_ seconds: Double) -> String {
        if seconds < 0.9995 { return "\((seconds * 1000).fixed(0)) ms" }
        return seconds < 60 ? "\(seconds.fixed(1)) s" : Words.duration(seconds)
    }

    private static func ink(_ state: StatusInterface.DeviceState) -> Ink {
        switch state {
        case .streaming, .polling: .good
        case .searching: .warning
        case .silent, .failed: .bad
        }
    }
    private static func ink(_ state: OpenWord<AidInterface.AidSourceState>) -> Ink {
        switch state.known {
        case .trusted, .used: .good
        case .watched, .waiting, nil: .warning
        case .refused, .lost: .bad
        }
    }
}
