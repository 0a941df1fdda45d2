import WaymarkClient

/// Calibration state of the sensors, for the status of the daemon.
public enum CalibrationStatusText {
    /// Labels and texts, as in the table of `waymark status`.
    static func rows(_ status: CalibrationStatus) -> [(label: String, text: String)] {
        var rows: [(label: String, text: String)] = []
        if let running = status.running {
            rows.append(("running", "calibration: \(CalibrationText.title(running))"))
        }
        for (index, sensor) in status.sensors.enumerated() {
            rows.append((index == 0 ? "calibrated" : "", line(sensor)))
        }
        if status.sensors.isEmpty {
            rows.append(("calibrated", "no sensor: run `waymark calibrate all`"))
        }
        for (index, residual) in status.residuals.enumerated() {
            if let text = line(residual) { rows.append((index == 0 ? "biases" : "", text)) }
        }
        if let proposal = status.proposal, let text = line(proposal) { rows.append(("proposed", text)) }
        return rows
    }

    /// Stored calibrations of a device, in words; nil for none.
    static func of(device name: String, _ status: CalibrationStatus) -> String? {
        // The device name, and after a comma the attributes that distinguish devices of this name.
        let lines = status.sensors.filter { $0.device == name || $0.device.hasPrefix(name + ",") }.map { sensor in
            "\(Words.line(sensor.sensor))\(rest(sensor))"
        }
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }

    /// Correction that the estimator proposes; nil where there are not three numbers.
    public static func line(_ proposal: CalibrationStatus.Proposal) -> String? {
        guard let text = vector(proposal.hardIron, proposal.standardDeviation, 1, digits: 1) else { return nil }
        let proof =
            proposal.proven
            ? "proven" : "not proven yet"
        return "hard iron \(text) µT, \(proof): field error \(proposal.residualAfter.fixed(1)) instead of "
            + "\(proposal.residualBefore.fixed(1)) µT over \(Words.duration(proposal.seconds))"
    }

    private static func line(_ sensor: CalibrationStatus.Sensor) -> String {
        "\(Words.line(sensor.sensor)): \(Words.line(sensor.device))\(rest(sensor))"
    }

    private static func rest(_ sensor: CalibrationStatus.Sensor) -> String {
        let origin =
            switch sensor.origin {
            case "calibrate": "calibrated"
            case "import": "imported"
            case "online": "calibrated online"
            default: "by \(Words.line(sensor.origin))"
            }
        let errors =
            CalibrationWords.predictedErrors(heading: sensor.predictedHeadingError, tilt: sensor.predictedTiltError)
            .map { ", \($0)" } ?? ""
        return ", \(origin) \(Words.duration(sensor.age)) ago\(errors)\(sensor.inForce ? "" : ", not active")"
    }

    /// Turn rates in degrees, as people know them.
    private static func line(_ residual: CalibrationStatus.Residual) -> String? {
        let (factor, unit, digits) =
            switch residual.sensor {
            case "gyroscope": (180 / Double.pi, "°/s", 3)
            case "accelerometer": (1, "m/s²", 3)
            default: (1, "µT", 1)
            }
        return vector(residual.bias, residual.standardDeviation, factor, digits: digits)
            .map { "\(Words.line(residual.sensor)) \($0) \(unit)" }
    }

    private static func vector(
        _ values: [Double], _ deviations: [Double], _ factor: Double, digits: Int
    ) -> String? {
        guard values.count == 3, deviations.count == 3 else { return nil }
        let worst = (deviations.max() ?? 0) * factor
        return values.map { ($0 * factor).signed(digits) }.joined(separator: " ") + " ±" + worst.fixed(digits)
    }
}
