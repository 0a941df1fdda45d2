import WaymarkClient

/// Sensors, in words.
public enum DeviceText {
    /// A row for each device, then what does not fit into a row.
    ///
    /// - Parameter calibration: what is calibrated; nil is not known.
    public static func lines(_ devices: [Waymark.Device], calibration: Waymark.CalibrationStatus? = nil) -> [String] {
        guard !devices.isEmpty else { return ["No sensors."] }
        var table = Table([
            ("device", .left), ("state", .left), ("requested", .right), ("actual", .right), ("clock", .left),
            ("samples", .right), ("gaps", .right), ("dropped", .right), ("age", .right),
        ])
        for device in devices { table.append(row(device)) }
        return table.lines + devices.flatMap { details($0, calibration) }
    }

    private static func row(_ device: Waymark.Device) -> [String] {
        [
            Words.line(device.name), "\(device.state)", rate(device.requestedRate), rate(device.grantedRate),
            device.clock.map(Words.line) ?? Words.unknown, "\(device.samples)", "\(device.gaps)", "\(device.dropped)",
            device.age.map { "\($0.fixed(1)) s" } ?? Words.unknown,
        ]
    }

    private static func rate(_ hertz: Double?) -> String { hertz.map { "\($0.fixed(1)) Hz" } ?? Words.unknown }

    private static func details(_ device: Waymark.Device, _ calibration: Waymark.CalibrationStatus?) -> [String] {
        var lines: [String] = []
        if let detail = device.detail { lines.append("  " + Words.line(detail)) }
        if let temperature = device.temperature { lines.append("  at \(temperature.fixed(1)) °C") }
        if let text = calibration.flatMap({ CalibrationStatusText.of(device: device.name, $0) }) {
            lines.append("  calibration: \(text)")
        }
        if let matrix = device.mountMatrix, matrix.count == 9 {
            let rows = [0, 3, 6].map { row in matrix[row..<row + 3].map { short($0) }.joined(separator: " ") }
            let origin = device.mountMatrixOrigin.map { ", from \(Words.line($0))" } ?? ""
            lines.append("  mount matrix [\(rows.joined(separator: "; "))]\(origin)")
        }
        for channel in device.channels {
            let format = channel.format.map(Words.line) ?? "polled"
            lines.append(
                "  \(Words.line(channel.name)) \(format), scale \(channel.scale), offset \(short(channel.offset))")
        }
        guard !lines.isEmpty else { return [] }
        return ["", "\(Words.line(device.name)) (\(Words.line(device.identifier)))"] + lines
    }

    /// Whole numbers without digits behind the point.
    private static func short(_ value: Double) -> String {
        value == value.rounded() ? value.fixed(0) : value.fixed(4)
    }
}
