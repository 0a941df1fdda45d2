import WaymarkClient

/// The daemon's state, in words.
public enum StatusText {
    /// State of the daemon as lines with labels in the first column.
    public static func lines(_ status: Status) -> [String] {
        var rows: [(label: String, text: String)] = [
            ("waymarkd", "\(Words.line(status.version)), up \(Words.duration(status.uptime)), on \(source(status))"),
            ("state", status.state.rawValue),
        ]
        for reason in status.reasons {
            let word = Words.line(reason)
            rows.append(("", Words.explanation(of: reason).map { "\(word): \($0)" } ?? word))
        }
        for (index, advice) in (status.advice ?? []).enumerated() {
            rows.append((index == 0 ? "advice" : "", Words.line(advice)))
        }
        let calibration = status.calibration.map(CalibrationStatusText.rows) ?? []
        rows += [
            ("accuracy", accuracy(status)),
            ("best fix", status.bestEstimate.map(bestFix) ?? "none"),
            ("heading", "from \(Words.reference(status.headingReference))"),
            ("motion", status.motion.map(Words.motion) ?? Words.unknown),
            ("monitor", status.headingMonitor.map(monitor) ?? "no data yet"),
            ("axes", status.axisCorrection.map(monitor) ?? "no data yet"),
            ("frame", frame(status)),
            ("sources", status.sources.isEmpty ? "none" : status.sources.map(Words.line).joined(separator: " ")),
            ("poses", "\(status.poses), now \(status.poseRate.fixed(1)) per second"),
            ("clients", "\(status.clients), subscriptions \(status.subscriptions)"),
            ("warm start", status.warmStart.map(warmStart) ?? Words.unknown),
        ]
        rows += calibration
        if let power = status.power { rows.append(("power", self.power(power))) }
        rows.append(("recording", status.recording.map(recording) ?? "none"))
        return rows.map { $0.label.left(11) + $0.text } + [""] + devices(status.devices)
    }

    /// State of a recording in one line, running or stopped.
    public static func recording(_ recording: Recording) -> String {
        let lost = recording.dropped > 0 ? ", \(recording.dropped) dropped because the disk is too slow" : ""
        return "\(Words.line(recording.path)): \(recording.messages) messages, \(Words.size(recording.bytes))\(lost)"
    }

    private static func warmStart(_ start: WarmStartStatus) -> String {
        if let detail = start.detail { return "none: \(Words.line(detail))" }
        let used = start.used.isEmpty ? "nothing" : start.used.map(Words.line).joined(separator: " ")
        let age = start.age.map { " from \(Words.duration($0)) ago" } ?? ""
        let dropped = start.dropped.map { Words.line("\($0.part) (\($0.reason))") }.joined(separator: ", ")
        return used + age + (dropped.isEmpty ? "" : "; dropped: \(dropped)")
    }

    private static func power(_ power: PowerStatus) -> String {
        let meaning = power.mode == "idle" ? ": poses are not used, reduced sampling rates" : ""
        return "\(Words.line(power.mode)) for \(Words.duration(power.age))\(meaning)"
    }

    private static func source(_ status: Status) -> String {
        switch status.source {
        case "simulation": "the simulated walk"
        case "sensors": "sensors"
        default: Words.line(status.source)
        }
    }

    private static func accuracy(_ status: Status) -> String {
        "\(Words.accuracy(status.horizontalAccuracy, " m")) horizontal, "
            + "\(Words.accuracy(status.verticalAccuracy, " m")) vertical, "
            + "\(Words.accuracy(status.orientationYawAccuracy, "°")) yaw"
    }

    private static func bestFix(_ estimate: BestEstimate) -> String {
        "\(Words.duration(estimate.age)) and \(Words.distance(estimate.travel)) ago, present accuracy "
            + Words.distance(estimate.horizontalAccuracy)
    }

    private static func monitor(_ monitor: HeadingMonitor) -> String {
        let correction = monitor.correction.map { "\($0.fixed(1))° of correction" } ?? "has a heading, the filter none"
        return "\(correction), ±\(monitor.deviation.fixed(1))°, from \(monitor.pairs) pairs"
    }

    /// Less settles unseen all the time. Units: degrees, metres.
    private static let settledAngle = 1.0
    private static let settledDistance = 1.0

    private static func frame(_ status: Status) -> String {
        let settled = status.slewAngle.magnitude < settledAngle && status.slewDistance < settledDistance
        let reasons = (status.readinessReasons ?? []).map(Words.line).joined(separator: " ")
        let readiness = status.readiness.map { "\(Words.line($0))\(reasons.isEmpty ? "" : " (\(reasons))"), " } ?? ""
        return "generation \(status.generation), " + readiness
            + (settled ? "settled" : "correcting \(status.slewAngle.fixed(1))° and \(status.slewDistance.fixed(1)) m")
    }

    private static func devices(_ devices: [Device]) -> [String] {
        guard !devices.isEmpty else { return ["No sensors."] }
        var table = Table([("device", .left), ("state", .left), ("rate", .right), ("", .left)])
        for device in devices {
            table.append([
                Words.line(device.name), device.state.rawValue,
                device.grantedRate.map { "\($0.fixed(1)) Hz" } ?? Words.unknown, device.detail.map(Words.line) ?? "",
            ])
        }
        return table.lines
    }
}
