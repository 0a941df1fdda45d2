import WaymarkClient
import WaymarkInterface

package enum StatusText {
    package static func lines(_ status: Waymark.Status) -> [String] {
        var rows: [LabelledText.Row] = [
            ("waymarkd", "\(Words.line(status.version)), up \(Words.duration(status.uptime)), on \(source(status))"),
            ("state", "\(status.state)"),
        ]
        rows += status.reasons.known.map { ("", "\($0): \(Words.explanation(of: $0))") }
        rows += status.reasons.unknown.map { ("", Words.line($0)) }
        rows += LabelledText.rows("advice", status.advice.map(Words.line))
        rows += [
            ("accuracy", accuracy(status)),
            ("best fix", status.bestEstimate.map(bestFix) ?? "none"),
            ("heading", "from \(Words.reference(status.headingReference))"),
            ("motion", status.motion.map(Words.motion) ?? Words.unknown),
            ("monitor", status.headingMonitor.map(monitor) ?? "no data yet"),
            ("axes", status.axisCorrection.map(monitor) ?? "no data yet"),
            ("frame", frame(status)),
            ("sources", status.sources.isEmpty ? "none" : Words.list(status.sources)),
        ]
        rows += LabelledText.rows("plan", status.plan.map(PlanText.state))
        rows += LabelledText.rows("updates", status.updates.map(updates))
        rows += LabelledText.rows("aids", (status.refusedAids ?? []).map(AidText.line))
        rows += [
            ("poses", "\(status.poses), now \(status.poseRate.fixed(1)) per second"),
            ("clients", "connections \(status.clients), subscriptions \(status.subscriptions)\(lost(status))"),
            ("warm start", warmStart(status.warmStart)),
        ]
        let ring = status.poseRing.map { $0.problem.map(Words.line) ?? "connections \($0.clients)" }
        rows += LabelledText.rows("pose ring", ring)
        rows += CalibrationStatusText.rows(status.calibration, isSimulated: status.source == .simulation)
        rows += LabelledText.rows("power", status.power.map(power))
        rows.append(("recording", status.recording.map(recording) ?? "none"))
        rows += LabelledText.rows("places", (status.damagedPlaces ?? []).map(damaged))
        let plans = (status.damagedPlans ?? []).map { "damaged, not used: \(Words.line($0)); see waymark doctor" }
        rows += LabelledText.rows("plans", plans)
        return rows.map { $0.label.left(11) + $0.text } + [""] + devices(status.devices)
    }

    /// Describes a recording in one line, whether it runs or has stopped.
    package static func recording(_ recording: Waymark.Recording) -> String {
        let lost = recording.dropped > 0 ? ", \(recording.dropped) dropped because the disk is too slow" : ""
        return "\(Words.line(recording.path)): \(recording.messages) messages, \(Words.size(recording.bytes))\(lost)"
    }

    /// Describes missed messages, and clients that were too slow; empty if there are none.
    private static func lost(_ status: Waymark.Status) -> String {
        let counts = [(status.missedMessages, "messages missed"), (status.droppedClients, "slow clients disconnected")]
        return counts.map { count, what in count.map { $0 > 0 ? ", \($0) \(what)" : "" } ?? "" }.joined()
    }

    /// Innovation ratio from which measurements are reported as worse than assumed: the innovations are then 1.4 times
    /// as large as assumed.
    private static let largeRatio = 2.0

    /// Lists the kinds of measurement of which some were refused, or which are worse than assumed.
    private static func updates(_ updates: [StatusInterface.MeasurementUpdates]) -> String {
        let notes = updates.compactMap { kind -> String? in
            var parts: [String] = []
            if kind.refused > 0 {
                // Double, so that large counts from a daemon do not overflow.
                let total = Double(kind.applied) + Double(kind.refused)
                parts.append("\((100 * Double(kind.refused) / total).fixed(1)) % refused")
            }
            if let ratio = kind.innovationRatio, ratio >= largeRatio {
                parts.append("innovation ratio \(ratio.fixed(1))")
            }
            return parts.isEmpty ? nil : "\(Words.line(kind.kind)) \(parts.joined(separator: ", "))"
        }
        return notes.isEmpty ? "none refused" : notes.joined(separator: "; ")
    }

    private static func damaged(_ copy: StatusInterface.DamagedPlaces) -> String {
        "damaged, moved to \(Words.line(copy.path)): \(copy.places) places, \(copy.filters) filters and "
            + "\(copy.anchors) anchors recovered, \(copy.complete ? "none lost" : "others lost; see waymark doctor")"
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

    static func source(_ status: Waymark.Status) -> String {
        switch status.source {
        case .known(.simulation): "the simulated walk"
        case .known(.sensors): "sensors"
        case .known(.replay): "replay"
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

    /// Differences below which a frame counts as settled. Smaller differences are always being corrected, invisibly.
    /// Units: degrees, metres.
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
        let rows = devices.map { device in
            [
                Words.line(device.name), "\(device.state)", DeviceText.rate(device.grantedRate),
                device.detail.map(Words.line) ?? "",
            ]
        }
        return Table([("device", .left), ("state", .left), ("rate", .right), ("", .left)], rows).lines
    }
}

package enum DeviceText {
    /// Makes a row for each device, followed by details that do not fit into a row.
    ///
    /// - Parameter calibration: state of the calibrations; nil if unknown.
    package static func lines(_ devices: [Waymark.Device], calibration: Waymark.CalibrationStatus? = nil) -> [String] {
        guard !devices.isEmpty else { return ["No sensors."] }
        let titles: [(title: String, alignment: Table.Alignment)] = [
            ("device", .left), ("state", .left), ("requested", .right), ("actual", .right), ("clock", .left),
            ("samples", .right), ("gaps", .right), ("dropped", .right), ("age", .right),
        ]
        return Table(titles, devices.map(row)).lines + devices.flatMap { details($0, calibration) }
    }

    /// Explanation of why simulated sensors have only a row, without details.
    package static let simulated = ["", "Simulated sensors have neither scales nor mount matrices."]

    private static func row(_ device: Waymark.Device) -> [String] {
        [
            Words.line(device.name), "\(device.state)", rate(device.requestedRate), rate(device.grantedRate),
            device.clock.map(Words.line) ?? Words.unknown, "\(device.samples)", "\(device.gaps)", "\(device.dropped)",
            device.age.map { "\($0.fixed(1)) s" } ?? Words.unknown,
        ]
    }

    fileprivate static func rate(_ hertz: Double?) -> String { hertz.map { "\($0.fixed(1)) Hz" } ?? Words.unknown }

    private static func details(_ device: Waymark.Device, _ calibration: Waymark.CalibrationStatus?) -> [String] {
        var lines: [String] = []
        if let detail = device.detail { lines.append("  " + Words.line(detail)) }
        if let sampling = SamplingText.line(device) { lines.append("  " + sampling) }
        if let temperature = device.temperature { lines.append("  at \(temperature.fixed(1)) °C") }
        if let text = calibration.flatMap({ CalibrationStatusText.of(device: device.name, $0) }) {
            lines.append("  calibration: \(text)")
        }
        lines += mounts(device).map { "  " + $0 }
        let unformatted = device.sampling?.known == .program ? "offered" : "polled"
        for channel in device.channels {
            let format = channel.format.map(Words.line) ?? unformatted
            lines.append(
                "  \(Words.line(channel.name)) \(format), scale \(channel.scale), offset \(short(channel.offset))")
        }
        guard !lines.isEmpty else { return [] }
        return ["", "\(Words.line(device.name)) (\(Words.line(device.identifier)))"] + lines
    }

    /// Makes one line for all sensors if they have the same mount, otherwise one for each sensor.
    private static func mounts(_ device: Waymark.Device) -> [String] {
        guard let axes = device.axes, let first = axes.first else {
            return mount(device.mountMatrix, device.mountMatrixOrigin.map(Words.line)).map { ["mount matrix \($0)"] }
                ?? []
        }
        let texts = axes.map { axes in
            (mount(axes.mountMatrix, Words.line(axes.origin)) ?? "") + (axes.sign == -1 ? ", sign -1" : "")
        }
        let isOne = texts.allSatisfy { $0 == texts[0] } && first.sign == 1
        if isOne { return ["mount matrix \(texts[0])"] }
        return zip(axes, texts).map { "mount matrix of the \(Words.line($0.sensor)) \($1)" }
    }

    private static func mount(_ matrix: [Double]?, _ origin: String?) -> String? {
        guard let matrix, matrix.count == 9 else { return nil }
        let rows = [0, 3, 6].map { row in matrix[row..<row + 3].map { short($0) }.joined(separator: " ") }
        return "[\(rows.joined(separator: "; "))]" + (origin.map { ", from \($0)" } ?? "")
    }

    /// Formats a whole number without decimals, and any other number with four.
    private static func short(_ value: Double) -> String {
        value == value.rounded() ? value.fixed(0) : value.fixed(4)
    }
}
