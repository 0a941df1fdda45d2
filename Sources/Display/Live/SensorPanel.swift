import WaymarkClient
import WaymarkInterface

/// Sensors and receiver with rate, age and gaps, what is recorded, and what is calibrated.
struct SensorPanel: Sendable {
    let status: Waymark.Status?

    /// Rows that all of it takes; the last ones are the first to be left out.
    var rows: Int { 1 + activities.count + (status?.devices.count ?? 1) + details.count }

    func draw(into grid: inout CellGrid, _ area: CellArea) {
        guard !area.isEmpty else { return }
        guard let status else {
            grid.put("sensors", in: area, row: 0, .faint)
            grid.put("not known yet", in: area, row: 1)
            return
        }
        let names = names
        let columns = Columns(area.columns, names)
        drawTitles(columns, into: &grid, area)
        var row = 1
        for (text, ink) in activities {
            grid.put(text, in: area, row: row, ink)
            row += 1
        }
        if status.devices.isEmpty { grid.put("no sensors", in: area, row: row, .warning) }
        for (device, name) in zip(status.devices, names) {
            draw(device, name, columns, row: row, into: &grid, area)
            row += 1
        }
        for (text, ink) in details where row < area.rows {
            grid.put(text, in: area, row: row, ink)
            row += 1
        }
    }

    /// What runs beside the sensors.
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

    /// Names without the first word where all have the same, as those of the simulation.
    private var names: [String] {
        let names = (status?.devices ?? []).map { OutsideText.line($0.name) }
        let words = names.map { $0.split(separator: " ", maxSplits: 1) }
        guard names.count > 1, words.allSatisfy({ $0.count == 2 && $0[0] == words[0][0] }) else { return names }
        return words.map { String($0[1]) }
    }

    /// Why devices do not deliver.
    private var details: [(String, Ink)] {
        (status?.devices ?? []).filter { Self.ink($0.state) != .good }.compactMap { device in
            device.detail.map { ("\(OutsideText.line(device.name)): \(OutsideText.line($0))", .warning) }
        }
    }

    // MARK: - The table

    /// Columns of the table as far as there is room for them: the gaps are the first to go, and then the age.
    private struct Columns {
        var name: Int
        var hasAge: Bool
        var hasGaps: Bool

        static let rate = 10
        static let age = 7
        static let gaps = 5

        init(_ columns: Int, _ names: [String]) {
            // The name and the sign of the state in front of it.
            let wanted = 2 + max(8, names.map { TextWidth.columns(of: $0) }.max() ?? 0)
            hasAge = columns >= 12 + Self.rate + Self.age
            hasGaps = columns >= 12 + Self.rate + Self.age + Self.gaps
            let rest = columns - Self.rate - (hasAge ? Self.age : 0) - (hasGaps ? Self.gaps : 0)
            name = max(4, min(wanted, rest))
        }
    }

    private func drawTitles(_ columns: Columns, into grid: inout CellGrid, _ area: CellArea) {
        grid.put("sensors", in: area, row: 0, .faint)
        put("rate", columns.name, Columns.rate, row: 0, .faint, &grid, area)
        if columns.hasAge { put("age", columns.name + Columns.rate, Columns.age, row: 0, .faint, &grid, area) }
        if columns.hasGaps {
            put("gaps", columns.name + Columns.rate + Columns.age, Columns.gaps, row: 0, .faint, &grid, area)
        }
    }

    private func draw(
        _ device: Waymark.Device, _ name: String, _ columns: Columns, row: Int, into grid: inout CellGrid,
        _ area: CellArea
    ) {
        let ink = Self.ink(device.state)
        grid.put(grid.canvas.unicode ? "●" : "*", in: area, row: row, ink)
        grid.put(TextWidth.cut(name, to: min(columns.name, area.columns) - 2), in: area, row: row, column: 2)
        // Without a rate the state says more.
        let rate = ink == .good ? device.grantedRate.map { "\($0.fixed(1)) Hz" } : "\(device.state)"
        put(rate ?? Words.unknown, columns.name, Columns.rate, row: row, ink == .good ? .plain : ink, &grid, area)
        if columns.hasAge {
            let age = device.age.map(Self.age) ?? Words.unknown
            put(age, columns.name + Columns.rate, Columns.age, row: row, .plain, &grid, area)
        }
        guard columns.hasGaps else { return }
        put(
            "\(device.gaps)", columns.name + Columns.rate + Columns.age, Columns.gaps, row: row,
            device.gaps > 0 ? .warning : .plain, &grid, area)
    }

    /// Puts a text at the right border of a column of the table.
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
}
