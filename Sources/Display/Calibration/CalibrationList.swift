import WaymarkClient

/// What is kept of calibrations, in words.
public enum CalibrationList {
    /// A row for each sensor, then why some are not in force, and what the daemon proposes.
    public static func lines(
        _ entries: [CalibrationEntry], proposal: CalibrationStatus.Proposal? = nil
    ) -> [String] {
        let proposed = proposal.flatMap(CalibrationStatusText.line).map { ["", "proposed while worn: \($0)"] } ?? []
        guard !entries.isEmpty else {
            return ["Nothing is calibrated: `waymark calibrate all` guides through it."] + proposed
        }
        var table = Table([
            ("sensor", .left), ("device", .left), ("in force", .left), ("made", .left), ("by", .left),
            ("good to", .left),
            ("residual", .right), ("at", .right), ("before it", .right),
        ])
        for entry in entries { table.append(row(entry)) }
        return table.lines + entries.flatMap(details) + proposed
    }

    private static func row(_ entry: CalibrationEntry) -> [String] {
        [
            Words.line(entry.sensor), Words.line(entry.device), entry.inForce ? "yes" : "no",
            "\(Words.duration(entry.age)) ago", Words.line(entry.origin),
            CalibrationWords.predictedErrors(heading: entry.predictedHeadingError, tilt: entry.predictedTiltError)
                ?? Words.unknown,
            residual(entry), entry.temperature.map { "\($0.fixed(1)) °C" } ?? Words.unknown, "\(entry.history)",
        ]
    }

    private static func residual(_ entry: CalibrationEntry) -> String {
        guard let residual = entry.residualRMS else { return Words.unknown }
        let unit = entry.residualUnit.map { $0 == "1" ? "" : " " + Words.line($0) } ?? ""
        return CalibrationNumber.plain(residual, digits: 3) + unit
    }

    private static func details(_ entry: CalibrationEntry) -> [String] {
        guard !entry.inForce, let detail = entry.detail else { return [] }
        return [
            "", "\(Words.line(entry.sensor)) of \(Words.line(entry.device)) is not in force: \(Words.line(detail))",
        ]
    }
}
