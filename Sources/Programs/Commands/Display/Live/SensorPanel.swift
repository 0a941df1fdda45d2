import WaymarkClient
import WaymarkInterface

/// Panel with running recordings and calibrations, and with the sensors, the receiver and the aid sources of other
/// programs: their rate, age, gaps and state.
struct SensorPanel: Sendable {
    let status: Waymark.Status?
    /// Sources of aiding measurements.
    let aids: [Waymark.AidSource]

    /// Number of rows that the panel needs; the last ones are omitted first.
    var rows: Int { 1 + activities.count + (status?.devices.count ?? 1) + aids.count + details.count }

    func draw(into grid: inout CellGrid, _ area: CellArea) {
        guard !area.isEmpty else { return }
        guard let status else {
            grid.put("sensors", in: area, row: 0, .faint)
            grid.put("not known yet", in: area, row: 1)
            return
        }
        let table = table
        let columns = Self.columns.filter { area.columns >= $0.least }
        let wanted = 2 + max(8, table.map { TextWidth.columns(of: $0.name) }.max() ?? 0)
        // Width of the first column: the sign of the state, then the name.
        let name = max(4, min(wanted, area.columns - columns.reduce(0) { $0 + $1.width }))
        grid.put("sensors", in: area, row: 0, .faint)
        draw(columns.map { ($0.title, .faint) }, columns, from: name, row: 0, into: &grid, area)
        var row = 1
        for (text, ink) in activities {
            grid.put(text, in: area, row: row, ink)
            row += 1
        }
        if status.devices.isEmpty { grid.put("no sensors", in: area, row: row, .warning) }
        for entry in table {
            grid.put(grid.canvas.unicode ? "●" : "*", in: area, row: row, entry.ink)
            grid.put(TextWidth.cut(entry.name, to: min(name, area.columns) - 2), in: area, row: row, column: 2)
            draw(columns.map { $0.cell(entry) }, columns, from: name, row: row, into: &grid, area)
            row += 1
        }
        for (text, ink) in details where row < area.rows {
            grid.put(text, in: area, row: row, ink)
            row += 1
        }
    }

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

    /// Names of the devices, without their first word if it is the same for all, as in the simulation.
    private var names: [String] {
        let names = (status?.devices ?? []).map { OutsideText.line($0.name) }
        let words = names.map { $0.split(separator: " ", maxSplits: 1) }
        guard names.count > 1, words.allSatisfy({ $0.count == 2 && $0[0] == words[0][0] }) else { return names }
        return words.map { String($0[1]) }
    }

    /// Reasons why devices deliver no samples.
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
        /// Number of gaps; nil for an aid source, whose measurements have no fixed rate.
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

    /// Column of the table, shown in areas of at least `least` columns.
    private struct Column: Sendable {
        let title: String
        let width: Int
        let least: Int
        let cell: @Sendable (Row) -> (text: String, ink: Ink)?
    }

    /// Columns after the name. If there is too little room, the state is omitted first, then the gaps and the age.
    private static let columns = [
        // If a sensor delivers no samples, this column shows its state instead of the rate.
        Column(title: "rate", width: 10, least: 0) { row in
            row.ink == .good ? (row.rate.map { "\($0.fixed(1)) Hz" } ?? Words.unknown, .plain) : (row.state, row.ink)
        },
        Column(title: "age", width: 7, least: 29) { ($0.age.map(age) ?? Words.unknown, .plain) },
        Column(title: "gaps", width: 5, least: 34) { $0.gaps.map { ("\($0)", $0 > 0 ? .warning : .plain) } },
        Column(title: "state", width: 11, least: 49) { ($0.state, $0.ink == .good ? .plain : $0.ink) },
    ]

    /// Draws the cells of a row, each at the right border of its column.
    private func draw(
        _ cells: [(text: String, ink: Ink)?], _ columns: [Column], from name: Int, row: Int,
        into grid: inout CellGrid, _ area: CellArea
    ) {
        var end = name
        for (cell, column) in zip(cells, columns) {
            end += column.width
            guard let cell else { continue }
            let shown = TextWidth.cut(cell.text, to: column.width - 1)
            grid.put(shown, in: area, row: row, column: end - TextWidth.columns(of: shown), cell.ink)
        }
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
