import WaymarkClient
import WaymarkInterface

/// The daemon's state, in words.
public enum StatusText {
    /// State of the daemon as lines with labels in the first column.
    public static func lines(_ status: Waymark.Status) -> [String] {
        var rows: [(label: String, text: String)] = [
            ("waymarkd", "\(Words.line(status.version)), up \(Words.duration(status.uptime)), on \(source(status))"),
            ("state", "\(status.state)"),
        ]
        rows += status.reasons.known.map { ("", "\($0): \(Words.explanation(of: $0))") }
        rows += status.reasons.unknown.map { ("", Words.line($0)) }
        for (index, advice) in status.advice.enumerated() {
            rows.append((index == 0 ? "advice" : "", Words.line(advice)))
        }
        let sources = status.sources.isEmpty ? "none" : Words.list(status.sources)
        rows += [
            ("accuracy", accuracy(status)),
            ("best fix", status.bestEstimate.map(bestFix) ?? "none"),
            ("heading", "from \(Words.reference(status.headingReference))"),
            ("motion", status.motion.map(Words.motion) ?? Words.unknown),
            ("monitor", status.headingMonitor.map(monitor) ?? "no data yet"),
            ("axes", status.axisCorrection.map(monitor) ?? "no data yet"),
            ("frame", frame(status)),
            ("sources", sources),
            ("poses", "\(status.poses), now \(status.poseRate.fixed(1)) per second"),
            ("clients", "\(status.clients), subscriptions \(status.subscriptions)"),
            ("warm start", warmStart(status.warmStart)),
        ]
        rows += CalibrationStatusText.rows(status.calibration)
        if let power = status.power { rows.append(("power", self.power(power))) }
        rows.append(("recording", status.recording.map(recording) ?? "none"))
        return rows.map { $0.label.left(11) + $0.text } + [""] + devices(status.devices)
    }

    /// State of a recording in one line, running or stopped.
    public static func recording(_ recording: Waymark.Recording) -> String {
        let lost = recording.dropped > 0 ? ", \(recording.dropped) dropped because the disk is too slow" : ""
        return "\(Words.line(recording.path)): \(recording.messages) messages, \(Words.size(recording.bytes))\(lost)"
    }

    private static func warmStart(_ start: StatusInterface.WarmStart) -> String {
        if let detail = start.detail { return "none: \(Words.line(detail))" }
        let used = start.used.isEmpty ? "nothing" : Words.list(start.used)
        let age = start.age.map { " from \(Words.duration($0)) ago" } ?? ""
        let dropped = start.dropped.map { Words.line("\($0.part) (\($0.reason))") }.joined(separator: ", ")
        return used + age + (dropped.isEmpty ? "" : "; dropped: \(dropped)")
    }

    private static func power(_ power: StatusInterface.Power) -> String {
        let meaning = power.mode == .idle ? ": poses are not used, reduced sampling rates" : ""
        return "\(power.mode) for \(Words.duration(power.age))\(meaning)"
    }

    private static func source(_ status: Waymark.Status) -> String {
        switch status.source {
        case .known(.simulation): "the simulated walk"
        case .known(.sensors): "sensors"
        case .unknown(let word): Words.line(word)
        }
    }

    private static func accuracy(_ status: Waymark.Status) -> String {
        "\(Words.accuracy(status.horizontalAccuracy, " m")) horizontal, "
            + "\(Words.accuracy(status.verticalAccuracy, " m")) vertical, "
            + "\(Words.accuracy(status.orientationYawAccuracy, "°")) yaw"
    }

    private static func bestFix(_ estimate: StatusInterface.BestEstimate) -> String {
        "\(Words.duration(estimate.age)) and \(Words.distance(estimate.travel)) ago, present accuracy "
            + Words.distance(estimate.horizontalAccuracy)
    }

    private static func monitor(_ monitor: StatusInterface.HeadingMonitor) -> String {
        let correction = monitor.correction.map { "\($0.fixed(1))° of correction" } ?? "has a heading, the filter none"
        return "\(correction), ±\(monitor.deviation.fixed(1))°, from \(monitor.pairs) pairs"
    }

    /// Less settles unseen all the time. Units: degrees, metres.
    private static let settledAngle = 1.0
    private static let settledDistance = 1.0

    private static func frame(_ status: Waymark.Status) -> String {
        let settled = status.slewAngle.magnitude < settledAngle && status.slewDistance < settledDistance
        let reasons = Words.list(status.readinessReasons)
        return "generation \(status.generation), \(status.readiness)\(reasons.isEmpty ? "" : " (\(reasons))"), "
            + (settled ? "settled" : "correcting \(status.slewAngle.fixed(1))° and \(status.slewDistance.fixed(1)) m")
    }

    private static func devices(_ devices: [Waymark.Device]) -> [String] {
        guard !devices.isEmpty else { return ["No sensors."] }
        var table = Table([("device", .left), ("state", .left), ("rate", .right), ("", .left)])
        for device in devices {
            table.append([
                Words.line(device.name), "\(device.state)",
                device.grantedRate.map { "\($0.fixed(1)) Hz" } ?? Words.unknown, device.detail.map(Words.line) ?? "",
            ])
        }
        return table.lines
    }
}
