import WaymarkClient
import WaymarkInterface

/// Stored calibrations, in words.
public enum CalibrationList {
    /// A row per sensor, then the reasons of inactive ones, and the daemon's proposal.
    public static func lines(
        _ entries: [Waymark.CalibrationEntry], proposal: StatusInterface.HardIronProposal? = nil
    ) -> [String] {
        let proposed = proposal.flatMap(CalibrationStatusText.line).map { ["", "proposed correction: \($0)"] } ?? []
        guard !entries.isEmpty else {
            return ["No sensor is calibrated: run `waymark calibrate all`."] + proposed
        }
        var table = Table([
            ("sensor", .left), ("device", .left), ("active", .left), ("age", .left), ("origin", .left),
            ("accuracy", .left),
            ("residual", .right), ("at", .right), ("history", .right),
        ])
        for entry in entries { table.append(row(entry)) }
        return table.lines + entries.flatMap(details) + proposed
    }

    private static func row(_ entry: Waymark.CalibrationEntry) -> [String] {
        [
            "\(entry.sensor)", Words.line(entry.device), entry.inForce ? "yes" : "no",
            Words.duration(entry.age), "\(entry.origin)",
            CalibrationWords.predictedErrors(heading: entry.predictedHeadingError, tilt: entry.predictedTiltError)
                ?? Words.unknown,
            residual(entry), entry.temperature.map { "\($0.fixed(1)) °C" } ?? Words.unknown, "\(entry.history)",
        ]
    }

    private static func residual(_ entry: Waymark.CalibrationEntry) -> String {
        guard let residual = entry.residualRMS else { return Words.unknown }
        let unit = entry.residualUnit.map { $0 == "1" ? "" : " " + Words.line($0) } ?? ""
        return CalibrationNumber.plain(residual, digits: 3) + unit
    }

    private static func details(_ entry: Waymark.CalibrationEntry) -> [String] {
        guard !entry.inForce, let detail = entry.detail else { return [] }
        return [
            "", "\(entry.sensor) of \(Words.line(entry.device)) is not active: \(Words.line(detail))",
        ]
    }
}
