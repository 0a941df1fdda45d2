import WaymarkClient
import WaymarkInterface

/// Calibration state of the sensors, for the status of the daemon.
package enum CalibrationStatusText {
    /// Makes the rows of the table of `waymark status`.
    static func rows(_ status: Waymark.CalibrationStatus, isSimulated: Bool) -> [LabelledText.Row] {
        let none = isSimulated ? "no sensor: simulated" : "no sensor: run `waymark calibrate all`"
        var rows = LabelledText.rows("running", status.running.map { "calibration: \(CalibrationWords.title($0))" })
        rows += LabelledText.rows("calibrated", status.sensors.isEmpty ? [none] : status.sensors.map(line))
        for (index, residual) in status.residuals.enumerated() {
            if let text = line(residual) { rows.append((index == 0 ? "biases" : "", text)) }
        }
        return rows + LabelledText.rows("proposed", status.proposal.flatMap(line))
    }

    /// Describes the stored calibrations of a device; nil if there are none.
    static func of(device name: String, _ status: Waymark.CalibrationStatus) -> String? {
        // A calibration identifies its device by the name alone, or by the name, a comma, and attributes that
        // distinguish devices with this name.
        let lines = status.sensors.filter { $0.device == name || $0.device.hasPrefix(name + ",") }.map { sensor in
            "\(sensor.sensor)\(rest(sensor))"
        }
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }

    /// Describes the correction that the estimator proposes; nil if it does not have three numbers.
    package static func line(_ proposal: StatusInterface.HardIronProposal) -> String? {
        guard let text = vector(proposal.hardIron, proposal.standardDeviation, 1, digits: 1) else { return nil }
        let proof = proposal.proven ? "proven" : "not proven yet"
        return "hard iron \(text) µT, \(proof): field error \(proposal.residualAfter.fixed(1)) instead of "
            + "\(proposal.residualBefore.fixed(1)) µT over \(Words.duration(proposal.seconds))"
    }

    private static func line(_ sensor: StatusInterface.SensorCalibration) -> String {
        "\(sensor.sensor): \(Words.line(sensor.device))\(rest(sensor))"
    }

    private static func rest(_ sensor: StatusInterface.SensorCalibration) -> String {
        let origin =
            switch sensor.origin {
            case .calibrate: "calibrated"
            case .import: "imported"
            case .online: "calibrated online"
            }
        let errors =
            CalibrationWords.predictedErrors(heading: sensor.predictedHeadingError, tilt: sensor.predictedTiltError)
            .map { ", \($0)" } ?? ""
        return ", \(origin) \(Words.duration(sensor.age)) ago\(errors)\(sensor.inForce ? "" : ", not active")"
    }

    /// Describes the residual bias of a sensor; nil if it does not have three numbers. Angular rates are in °/s, the
    /// unit that users know.
    private static func line(_ residual: StatusInterface.ResidualBias) -> String? {
        let (factor, unit, digits) =
            switch residual.sensor {
            case .gyroscope: (180 / Double.pi, "°/s", 3)
            case .accelerometer: (1, "m/s²", 3)
            case .magnetometer, .mount, .noise: (1, "µT", 1)
            }
        return vector(residual.bias, residual.standardDeviation, factor, digits: digits)
            .map { "\(residual.sensor) \($0) \(unit)" }
    }

    private static func vector(
        _ values: [Double], _ standardDeviations: [Double], _ factor: Double, digits: Int
    ) -> String? {
        guard values.count == 3, standardDeviations.count == 3 else { return nil }
        let worst = (standardDeviations.max() ?? 0) * factor
        return values.map { ($0 * factor).signed(digits) }.joined(separator: " ") + " ±" + worst.fixed(digits)
    }
}

package enum CalibrationListText {
    /// Makes a row for each calibration, followed by the reasons why calibrations are not active, and by the daemon's
    /// proposal.
    package static func lines(
        _ entries: [Waymark.CalibrationEntry], proposal: StatusInterface.HardIronProposal? = nil
    ) -> [String] {
        let proposed = proposal.flatMap(CalibrationStatusText.line).map { ["", "proposed correction: \($0)"] } ?? []
        guard !entries.isEmpty else {
            return ["No sensor is calibrated: run `waymark calibrate all`."] + proposed
        }
        let titles: [(title: String, alignment: Table.Alignment)] = [
            ("sensor", .left), ("device", .left), ("active", .left), ("age", .left), ("origin", .left),
            ("accuracy", .left), ("residual", .right), ("at", .right), ("history", .right),
        ]
        return Table(titles, entries.map(row)).lines + entries.flatMap(details) + proposed
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
